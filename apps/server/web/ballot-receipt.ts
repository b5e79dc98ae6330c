// Copies and prints the receipt of a ballot. Without a script it is written down, photographed or saved as a file.

const copyButton = document.querySelector<HTMLButtonElement>('[data-copy]')!;
const printButton = document.querySelector<HTMLButtonElement>('[data-print]')!;

copyButton.hidden = navigator.clipboard === undefined;
copyButton.addEventListener('click', () => void copyReceipt(copyButton.dataset['copy']!));
printButton.hidden = false;
printButton.addEventListener('click', () => window.print());

async function copyReceipt(text: string): Promise<void> {
  document.getElementById('said')!.textContent = await navigator.clipboard.writeText(text).then(
    () => 'Copied.',
    () => 'The browser doesn’t allow copying. Select the receipt and copy it.',
  );
}

export {};
