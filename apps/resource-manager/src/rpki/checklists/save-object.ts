/** Saves a signed object under a name. @param object in base64 */
export function saveObject(object: string, fileName: string): void {
  const address = URL.createObjectURL(new Blob([Uint8Array.from(atob(object), letter => letter.charCodeAt(0))]));
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(address);
}
