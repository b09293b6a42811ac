// Imported before every schema: zod would else try `new Function` for each, which the content policy refuses and reports.
import { z } from 'zod';

z.config({ jitless: true });
