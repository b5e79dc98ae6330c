// Tells the portal's page that the ballot is cast, and copies and prints its receipt. Without a script it is written down, photographed or saved as a file.

// As `LiveMessage` of the portal has it: neither the choice nor its receipt leaves this window.
const tabs = new BroadcastChannel('portal-live');
tabs.postMessage({ what: 'ballot', id: document.querySelector<HTMLElement>('[data-cast]')!.dataset['cast'] });

for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) {
  button.hidden = navigator.clipboard === undefined;
  button.addEventListener('click', () => void copyText(button.dataset['copy']!));
}
const printButton = document.querySelector<HTMLButtonElement>('[data-print]')!;
printButton.hidden = false;
printButton.addEventListener('click', () => window.print());

async function copyText(text: string): Promise<void> {
  document.getElementById('said')!.textContent = await navigator.clipboard.writeText(text).then(
    () => 'Copied.',
    () => 'The browser doesn’t allow copying. Select the text and copy it.',
  );
}

export {};
