// Copying with one press. Without scripts the texts are there to be marked.

for (const copied of document.querySelectorAll<HTMLElement>('[data-copy]')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  const idle = 'Copy';
  button.textContent = idle;
  button.setAttribute('aria-label', `Copy ${copied.dataset['copy'] ?? ''}`);
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(copied.dataset['copy'] ?? '').then(() => {
      button.textContent = 'Copied';
      setTimeout(() => (button.textContent = idle), 2000);
    });
  });
  copied.after(button);
}

// "/" begins a question, as on other pages.
addEventListener('keydown', event => {
  const field = document.querySelector<HTMLInputElement>('#q');
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || !field || document.activeElement === field) return;
  event.preventDefault();
  field.focus();
  field.select();
});
