// Refuses paths of a request where no file is. Apart from what is said of files, which commands load without the service.
import { findKind, noFile } from '../file-trouble.ts';
import { invalidRequest } from './errors.ts';

/**
 * Refuses what is there and no file: a device has no end, and a pipe holds up whoever waits for its other side. A path where nothing is
 * passes: whoever reads it says so.
 *
 * @throws {HttpError} 400
 */
export async function requireFile(path: string): Promise<void> {
  if ((await findKind(path)) === 'other') throw invalidRequest(`${path} cannot be read: ${noFile}`);
}
