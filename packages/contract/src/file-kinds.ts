/** Kinds of file members send and receive; detected from a file's content, not its name. */
export const fileKinds = {
  pdf: { label: 'PDF', mediaType: 'application/pdf', extensions: ['pdf'] },
  png: { label: 'PNG', mediaType: 'image/png', extensions: ['png'] },
  jpg: { label: 'JPEG', mediaType: 'image/jpeg', extensions: ['jpg', 'jpeg'] },
  docx: { label: 'Word', mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', extensions: ['docx'] },
  xlsx: { label: 'Spreadsheet', mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', extensions: ['xlsx'] },
  txt: { label: 'Text', mediaType: 'text/plain', extensions: ['txt', 'csv', 'log'] },
  pcap: { label: 'Packet capture', mediaType: 'application/vnd.tcpdump.pcap', extensions: ['pcap', 'pcapng'] },
} as const satisfies Record<string, { label: string; mediaType: string; extensions: readonly string[] }>;
export type FileKind = keyof typeof fileKinds;
export const fileKindNames = Object.keys(fileKinds) as [FileKind, ...FileKind[]];

/** The kinds in words, for the help of a field. */
export const fileKindsInWords = 'PDF, PNG, JPEG, Word, Excel (.xlsx), text (.txt, .csv) or a packet capture (.pcap)';

/** The largest file, in bytes. */
export const largestFile = 10_000_000;
/** Files of one request. */
export const maxFiles = 10;

const units = ['KB', 'MB', 'GB'] as const;
/** Formats the size of a file: `214 KB`, `1.4 MB`. */
export function fileSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value < 9.95 ? value.toFixed(1).replace(/\.0$/, '') : Math.round(value)} ${units[unit]}`;
}
