// Verifies a signed checklist for people without a login. Files are hashed here and never sent; only the checklist itself is.

import { utcDay } from '@portal/contract/days';

type Verified = {
  problem: string | null;
  resources: string[];
  files: { name: string | null; sha256: string }[];
  validFrom: string | null;
  validUntil: string | null;
};

const form = document.getElementById('verify') as HTMLFormElement;
const input = document.getElementById('files') as HTMLInputElement;
const verdict = document.getElementById('verdict')!;
/** Files chosen so far, by their hash: people choose the checklist first and its files after it, or the other way round. */
const chosen = new Map<string, string>();
let verified: Verified | null = null;

form.hidden = false;
form.addEventListener('submit', event => event.preventDefault());
input.addEventListener('change', () => void take([...(input.files ?? [])]));
for (const name of ['dragover', 'drop']) document.addEventListener(name, event => event.preventDefault());
document.addEventListener('drop', event => void take([...((event as DragEvent).dataTransfer?.files ?? [])]));

async function take(files: readonly File[]): Promise<void> {
  if (files.length === 0) return;
  verdict.replaceChildren(line('p', 'Reading the files…', 'quiet'));
  const isSigned = ({ name }: File): boolean => name.toLowerCase().endsWith('.sig');
  const [signed, ...others] = files.filter(isSigned);
  try {
    for (const file of files) if (!isSigned(file)) chosen.set(await hashOf(file), file.name);
    if (others.length > 0) return refuse([signed!, ...others]);
    if (signed) {
      verified = await verify(signed);
      if (verified === null) return;
    }
    show();
  } catch {
    verdict.replaceChildren(line('p', 'A file can’t be read, or the registry can’t be reached. Try again.', 'missing'));
  }
  input.value = '';
}

/** Which of several checklists the person meant can't be known. */
function refuse(several: readonly File[]): void {
  input.value = '';
  const names = several.map(({ name }) => name).join(', ');
  verdict.replaceChildren(line('p', `Choose one .sig file at a time. You chose ${names}.`, 'missing'));
}

async function verify(file: File): Promise<Verified | null> {
  const answer = await fetch('/checklists', { method: 'POST', headers: { 'content-type': 'application/rpki-checklist' }, body: file });
  if (answer.ok) return (await answer.json()) as Verified;
  verdict.replaceChildren(
    line(
      'p',
      answer.status === 413 ? `${file.name} is too large for a signed checklist.` : 'The registry can’t verify it now. Try again.',
      'missing',
    ),
  );
  return null;
}

async function hashOf(file: File): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
  return [...digest].map(byte => byte.toString(16).padStart(2, '0')).join('');
}

function line(kind: string, text: string, look = ''): HTMLElement {
  const element = document.createElement(kind);
  element.textContent = text;
  element.className = look;
  return element;
}

/** Returns the sentence that decides, and whether it is good. */
function resultInWords({ problem, files, resources }: Verified, strange: readonly string[], given: number): readonly [string, string] {
  if (problem !== null) return [`Not valid. ${problem}.`, 'missing'];
  if (strange.length > 0)
    return [`The checklist is valid, but it was not signed for ${strange.join(', ')}: another file, or one that was changed.`, 'missing'];
  if (given === 0)
    return [
      `The checklist is valid: the holder of ${resources.join(', ')} signed it. Choose the files it is about to compare them.`,
      'found',
    ];
  return [
    `Valid: the holder of ${resources.join(', ')} signed ${given === files.length ? (given === 1 ? 'this file' : 'these files') : `${given} of its ${files.length} files, which ${given === 1 ? 'is' : 'are'} yours`}.`,
    'found',
  ];
}

function show(): void {
  if (verified === null) {
    verdict.replaceChildren(
      line('p', `${chosen.size} ${chosen.size === 1 ? 'file' : 'files'} hashed. Choose the .sig file that belongs to them.`, 'quiet'),
    );
    return;
  }
  const { problem, resources, files, validFrom, validUntil } = verified;
  const listed = new Set(files.map(({ sha256 }) => sha256));
  const strange = [...chosen].filter(([sha256]) => !listed.has(sha256)).map(([, name]) => name);
  const given = files.filter(({ sha256 }) => chosen.has(sha256)).length;
  const [sentence, look] = resultInWords(verified, strange, given);
  const parts: HTMLElement[] = [line('p', sentence, look)];
  if (validFrom !== null && validUntil !== null) {
    const facts = document.createElement('dl');
    facts.className = 'facts';
    for (const [name, value] of [
      ['Resources', resources.join(', ')],
      ['Signed for the time', `${utcDay(validFrom)} to ${utcDay(validUntil)}`],
    ] as const) {
      const fact = document.createElement('div');
      fact.append(line('dt', name), line('dd', value));
      facts.append(fact);
    }
    parts.push(facts);
  }
  if (files.length > 0) {
    const list = document.createElement('ul');
    for (const { name, sha256 } of files) {
      const item = document.createElement('li');
      const isGiven = chosen.has(sha256);
      item.append(
        line('span', name ?? `${sha256.slice(0, 16)}…`, 'mono'),
        line(
          'span',
          isGiven ? (problem === null ? 'Your file is this one' : 'Your file has this content') : 'Not among your files',
          isGiven && problem === null ? 'right' : 'quiet',
        ),
      );
      list.append(item);
    }
    for (const name of strange) {
      const item = document.createElement('li');
      item.append(line('span', name, 'mono'), line('span', 'Not in the checklist', 'wrong'));
      list.append(item);
    }
    parts.push(line('h2', 'Files'), list);
  }
  const again = line('button', 'Start over', 'btn') as HTMLButtonElement;
  again.type = 'button';
  again.addEventListener('click', () => {
    chosen.clear();
    verified = null;
    verdict.replaceChildren();
    input.focus();
  });
  verdict.replaceChildren(...parts, again);
}
