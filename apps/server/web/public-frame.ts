// Copying with one press. Without scripts the texts are there to be marked.

for (const copied of document.querySelectorAll<HTMLElement>('[data-copy]')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  const idle = 'Copy';
  const text = copied.dataset['copy'] ?? '';
  const say = (word: string): void => {
    button.textContent = word;
    button.setAttribute('aria-label', `${word} ${text}`);
  };
  say(idle);
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(text).then(
      () => say('Copied'),
      () => say('Can’t copy'),
    );
    setTimeout(() => say(idle), 2000);
  });
  copied.after(button);
}

// "/" begins a question, as on other pages.
addEventListener('keydown', event => {
  const field = document.querySelector<HTMLInputElement>('#q') ?? document.querySelector<HTMLInputElement>('#find');
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || !field || document.activeElement === field) return;
  event.preventDefault();
  field.focus();
  field.select();
});
