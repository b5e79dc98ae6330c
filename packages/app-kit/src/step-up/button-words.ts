/** The longest words of a button. */
const LONGEST = 40;

/**
 * Returns the words of the button that confirms a change: those of the page, with the object where they name none. “Approve” becomes “Approve REQ-1” by the sentence “Approve REQ-1: delegate 198.19.171.0/24 to
 * CORAL-KI”. @param said the registry’s sentence about the change
 */
export function buttonWords(pressed: string, said: string | undefined): string {
  const short = said?.split(/: |, /)[0] ?? '';
  const namesObject =
    short.length <= LONGEST && short.length > pressed.length && short.toLowerCase().startsWith(`${pressed.toLowerCase()} `);
  return namesObject && !pressed.includes(' ') ? short : pressed;
}
