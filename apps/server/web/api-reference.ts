// Lets people try calls on the page of the API reference. The key stays in its field: it is neither stored nor sent anywhere but with the calls.

const field = (id: string) => document.getElementById(id) as HTMLInputElement;
const keyForm = document.getElementById('key-form')!;
keyForm.hidden = false;
keyForm.addEventListener('submit', event => event.preventDefault());

for (const article of document.querySelectorAll<HTMLElement>('article[data-path]')) {
  const details = article.querySelector<HTMLDetailsElement>('details.try')!;
  const form = details.querySelector('form')!;
  const output = details.querySelector('output')!;
  details.hidden = false;
  form.addEventListener('submit', event => {
    event.preventDefault();
    void send(article.dataset as { method: string; path: string }, form, output);
  });
}

async function send({ method, path }: { method: string; path: string }, form: HTMLFormElement, output: HTMLElement): Promise<void> {
  const key = field('key').value.trim();
  const account = field('account').value.trim();
  if (key === '' || account === '') {
    output.textContent = 'Enter an API key and an account at the top of the page first.';
    (key === '' ? field('key') : field('account')).focus();
    return;
  }
  let address = path.replace('{account}', encodeURIComponent(account));
  const query = new URLSearchParams();
  for (const input of form.querySelectorAll<HTMLInputElement>('input[data-in]')) {
    if (input.dataset.in === 'path') address = address.replace(`{${input.name}}`, encodeURIComponent(input.value));
    else if (input.value !== '') query.set(input.name, input.value);
  }
  if (form.querySelector<HTMLInputElement>('input[name="dry-run"]')?.checked) query.set('dry-run', 'true');
  const body = form.querySelector<HTMLTextAreaElement>('textarea')?.value;
  output.textContent = 'Sending…';
  try {
    const answer = await fetch(`${address}${query.size > 0 ? `?${query.toString()}` : ''}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body }),
    });
    const text = await answer.text();
    const isJson = /json/.test(answer.headers.get('content-type') ?? '');
    output.textContent = `${answer.status} ${answer.statusText}\n\n${isJson && text !== '' ? JSON.stringify(JSON.parse(text), null, 2) : text.slice(0, 20_000)}`;
  } catch {
    output.textContent = 'The registry can’t be reached. Try again.';
  }
}
