import { longestUpload } from '@portal/contract/whois/whois';

/** The concatenated text of chosen or dropped files, or why they are not accepted. */
export async function readTextFiles(files: readonly File[]): Promise<{ text: string } | { refusal: string }> {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes > longestUpload) return { refusal: `More than ${longestUpload / 1_000_000} million characters. Upload it in parts.` };
  const texts: string[] = [];
  for (const file of files) {
    const text = decode(await file.arrayBuffer());
    if (text === null) return { refusal: `${file.name} isn’t UTF-8 text. Save it as UTF-8 and choose it again.` };
    if (text.includes('\0')) return { refusal: `${file.name} isn’t a text file.` };
    texts.push(text);
  }
  return { text: texts.map(text => text.replaceAll('\r\n', '\n').trimEnd()).join('\n\n') };
}

function decode(bytes: ArrayBuffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
