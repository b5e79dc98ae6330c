type SystemError = Error & { code?: string; path?: string; address?: string; port?: number };

/** Errors of the system as sentences; `of` is the named file. */
const sentences: Readonly<Record<string, (of: string) => string>> = {
  ENOENT: of => `There is no file or folder ${of}.`,
  ENOTDIR: of => `A part of the path ${of} is a file, not a folder.`,
  EISDIR: of => `${of} is a folder; a file is needed.`,
  EEXIST: of => `${of} is there already.`,
  EACCES: of => `This program may not use ${of}.`,
  EPERM: of => `This program may not use ${of}.`,
  EROFS: of => `${of} is on a file system that can only be read.`,
  ENOSPC: of => `The disk of ${of} is full.`,
  Z_DATA_ERROR: () => 'The file is damaged: it begins like a gzip file and does not go on like one.',
  Z_BUF_ERROR: () => 'The file is damaged: it begins like a gzip file and ends before its end.',
};

/** Returns an error as one line for the operator, whatever was thrown. */
export function sentenceOf(error: unknown, file = 'the file'): string {
  if (error instanceof AggregateError && error.errors.length > 0) return sentenceOf(error.errors[0], file);
  if (!(error instanceof Error)) return `It failed without a reason (${JSON.stringify(error)}).`;
  const { code = '', path, address, port, message } = error as SystemError;
  if (address !== undefined && /^E(CONNREFUSED|HOSTUNREACH|TIMEDOUT)$/.test(code))
    return `Nothing answers at ${address}:${port} (${code}).`;
  return sentences[code]?.(path ?? file) ?? (message || error.name);
}
