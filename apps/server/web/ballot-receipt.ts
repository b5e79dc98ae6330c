// Copies and prints the receipt of a ballot. Without a script it is written down, photographed or saved as a file.

const copy = document.querySelector<HTMLButtonElement>('[data-copy]');
const print = document.querySelector<HTMLButtonElement>('[data-print]');
const said = document.getElementById('said');

if (copy) {
  copy.hidden = navigator.clipboard === undefined;
  copy.addEventListener('click', () => void copyReceipt(copy.dataset['copy']!));
}
if (print) {
  print.hidden = false;
  print.addEventListener('click', () => window.print());
}

async function copyReceipt(text: string): Promise<void> {
  const words = await navigator.clipboard.writeText(text).then(
    () => 'Copied.',
    () => 'The browser doesn’t allow copying. Select the receipt and copy it.',
  );
  if (said) said.textContent = words;
}
