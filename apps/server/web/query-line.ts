/** Keys that mean nothing to a shell, inside quotes: others are for the form alone. */
const forShells = /^[\w.:,/ -]+$/;

type Piece = { text: string; does: string };

const valueIn = (form: HTMLFormElement, name: string): string => {
  const value = new FormData(form).get(name);
  return typeof value === 'string' ? value.trim() : '';
};

/** Fields whose flags come first, as the server writes them. */
const flagOrder: readonly string[] = ['level', 'sources', 'types'];

/** Flags of the form as it is, each with what it does: the words are those that the server wrote beside the fields. */
function flagsIn(form: HTMLFormElement): Piece[] {
  const listOf = (name: string): string =>
    valueIn(form, name)
      .split(/[\s,]+/)
      .filter(Boolean)
      .join(',');
  const [types, sources] = [listOf('types').toLowerCase(), listOf('sources').toUpperCase()];
  const rank = (field: Element): number => flagOrder.indexOf(field.getAttribute('name') ?? '') + 1 || flagOrder.length + 1;
  return [...form.elements]
    .toSorted((a, b) => rank(a) - rank(b))
    .flatMap(field => {
      if (!(field instanceof HTMLInputElement)) return [];
      if (field.name === 'types') return types === '' ? [] : [{ text: `-T ${types}`, does: 'types' }];
      if (field.name === 'sources') return sources === '' ? [] : [{ text: sources === 'ALL' ? '-a' : `-s ${sources}`, does: 'sources' }];
      const { flag, does = '' } = field.dataset;
      return flag && field.checked ? [{ text: flag, does }] : [];
    });
}

/** Writes the command of port 43 for the form as it is filled in, piece by piece; the example stays until a key is typed. @param part the sheet’s part with the command, which names the host */
export function followQuery(form: HTMLFormElement, part: HTMLElement): void {
  const list = part.querySelector<HTMLElement>('.pieces')!;
  const head = part.querySelector<HTMLElement>('[data-copy]')!;
  const link = part.querySelector<HTMLAnchorElement>('a')!;
  const example = { pieces: [...list.children], words: head.textContent, copied: head.dataset['copy']!, address: link.href };
  const show = ({ pieces, words, copied, address }: typeof example): void => {
    list.replaceChildren(...pieces);
    head.textContent = words;
    head.dataset['copy'] = copied;
    link.href = address;
  };
  const update = (): void => {
    const key = valueIn(form, 'key').replace(/\s+/g, ' ');
    if (key === '' || !forShells.test(key)) return show(example);
    const asked = [...flagsIn(form), { text: key, does: 'asked for' }];
    const line = asked.map(({ text }) => text).join(' ');
    asked[0]!.text = `'${asked[0]!.text}`;
    asked.at(-1)!.text += "'";
    const host = part.dataset['host']!;
    const pieces = [
      { text: 'whois', does: 'client' },
      { text: `-h ${host}`, does: 'this registry' },
      { text: '--', does: 'query' },
      ...asked,
    ];
    const query = [...new FormData(form)].flatMap(([name, value]) => (typeof value === 'string' && value !== '' ? [[name, value]] : []));
    show({
      pieces: pieces.map(pieceShown),
      words: 'The same on port 43',
      copied: `whois -h ${host} -- '${line}'`,
      address: `${form.action}?${new URLSearchParams(query).toString()}`,
    });
  };
  form.addEventListener('input', update);
  update();
}

function pieceShown({ text, does }: Piece): HTMLElement {
  const [piece, term, words] = [document.createElement('div'), document.createElement('dt'), document.createElement('dd')];
  term.className = 'mono';
  term.textContent = text;
  words.textContent = does;
  piece.append(term, words);
  return piece;
}
