import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `documents`. */
export const documentErrors = {
  FILE_TOO_LARGE: { status: 413, message: 'The file is larger than {limit}. Upload a smaller one' },
  FILE_REFUSED: { status: 422, message: 'The file {name} can’t be uploaded: {why}' },
  FILE_UNUSABLE: { status: 409, message: 'The file {name} can’t be used: {why}' },
  BEING_CHECKED: { status: 409, message: 'The file {name} is being checked for viruses. Try again in a minute' },
  DOWNLOAD_EXPIRED: { status: 410, message: 'This address of a file has expired. Open the file again from its page' },
  NOT_READ: { status: 409, message: 'Open {title} and read it before you sign it' },
  NOTHING_TO_SIGN: { status: 409, message: '{title} doesn’t need a signature' },
} as const satisfies ErrorRows;
