// Handles of files: what a canvas has of a file that a user sent or an answer brought, which stands for its bytes wherever one is taken.
import { z } from 'zod';

/** A text that nobody guesses: who has it may have the file passed on, within the company that it is of. */
const handle = /^file_[A-Za-z0-9_-]{32}$/;

/** The schema of the handle of a stored file: `file_` and 32 signs. */
export const FileHandle = z.string().regex(handle);

/** Whether a text is a handle, as a whole. */
export const isFileHandle = (text: string): boolean => handle.test(text);

/** Handles within a longer text, such as the instructions of a model. */
export const handlesWithin = /(?<![A-Za-z0-9_-])file_[A-Za-z0-9_-]{32}(?![A-Za-z0-9_-])/g;
