/** What a script adds to the sign-in pages; they work without it. */

const byId = <T extends HTMLElement>(id: string): T | null => document.getElementById(id) as T | null;

// Demo people: fill the form instead of loading the page again.
for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-username]')) {
  link.addEventListener('click', event => {
    event.preventDefault();
    byId<HTMLInputElement>('username')!.value = link.dataset.username!;
    byId<HTMLInputElement>('password')!.value = link.dataset.password!;
    document.querySelector<HTMLButtonElement>('form button')!.focus();
  });
}

const code = byId<HTMLInputElement>('code');
if (code) {
  const boxes = [...code.parentElement!.querySelectorAll('i')];
  const show = (): void => {
    const at = document.activeElement === code ? Math.min(code.value.length, boxes.length - 1) : -1;
    boxes.forEach((box, i) => box.classList.toggle('now', i === at));
  };
  const set = (text: string): void => {
    code.value = text.replaceAll(/\D/g, '').slice(0, 6);
    show();
  };
  code.addEventListener('input', () => set(code.value));
  code.addEventListener('paste', event => {
    event.preventDefault();
    set(event.clipboardData?.getData('text') ?? '');
  });
  code.addEventListener('focus', show);
  code.addEventListener('blur', show);
  const demo = document.querySelector<HTMLAnchorElement>('a[data-code]');
  demo?.addEventListener('click', event => {
    event.preventDefault();
    set(demo.dataset.code!);
    document.querySelector<HTMLButtonElement>('form button')!.focus();
  });
  show();

  const left = byId('left')!;
  const end = Date.now() + Number(left.dataset.left) * 1000;
  setInterval(() => {
    const seconds = Math.ceil((end - Date.now()) / 1000);
    // The demo code on the page has changed: fetch the new one, unless somebody is typing.
    if (seconds <= 0 && demo && code.value === '') location.reload();
    left.textContent = `A new code in ${((((seconds - 1) % 30) + 30) % 30) + 1} s`;
  }, 1000);
}
