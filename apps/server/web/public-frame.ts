import { followQuery } from './query-line.ts';
import { personOfTab, showWayBack } from './signed-in.ts';
import { showStart } from './start-now.ts';

// Copying with one press. Without scripts the texts are there to be marked.

for (const copied of document.querySelectorAll<HTMLElement>('[data-copy]')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  const idle = 'Copy';
  // As it is when it is pressed: the line of a query follows its form.
  const textNow = (): string => copied.dataset['copy'] ?? '';
  const say = (word: string): void => {
    button.textContent = word;
    button.setAttribute('aria-label', `${word} ${textNow()}`);
  };
  say(idle);
  // Who hears the button’s name hears what it would copy now.
  new MutationObserver(() => say(idle)).observe(copied, { attributeFilter: ['data-copy'] });
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(textNow()).then(
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

const wayBack = document.querySelector<HTMLAnchorElement>('[data-way-back]');
const person = personOfTab();
if (wayBack) showWayBack(wayBack, person);

const start = document.querySelector<HTMLElement>('[data-start]');
if (start && person) void showStart(start, person);

const port = document.querySelector<HTMLElement>('.port');
const form = port?.parentElement?.querySelector('form');
if (port && form) followQuery(form, port);
