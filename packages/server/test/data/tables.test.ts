import { describeTables } from '../../../stores/test/describe-tables.ts';
import { serviceTables } from '../../src/platform/database/tables.ts';
import { tables } from '../../src/platform/tables/all.ts';

describeTables(tables, serviceTables, ['people']);
