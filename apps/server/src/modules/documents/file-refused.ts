/** Why a file is refused: the end of "The file … was not taken:". */
export class FileRefused extends Error {}

export const acceptedKinds =
  'send a PDF, a PNG or JPEG image, a Word document (.docx), a spreadsheet (.xlsx), text (.txt, .csv, .log) or a packet capture (.pcap)';
export const cutOff = 'it looks incomplete. Upload it again';
