/** A part of a screen as text of JSON can hold it: words, or an element's name, attributes and parts. */
export type Drawn = string | readonly [name: string, attributes: Readonly<Record<string, string>>, parts: readonly Drawn[]];

/** Elements that act or hold documents of their own; a form would send. */
const leftOut: ReadonlySet<string> = new Set([
  'script',
  'style',
  'link',
  'iframe',
  'object',
  'embed',
  'dialog',
  'template',
  'noscript',
  'base',
  'meta',
]);
const asDivision: ReadonlySet<string> = new Set(['form']);
const svgSpace = 'http://www.w3.org/2000/svg';

/** Attributes that act, name an element for others, or hold what a person typed. Within a drawing its parts refer to each other by name. */
const isLeftOut = (attribute: string, inDrawing: boolean): boolean =>
  attribute.startsWith('on') ||
  /^(aria-(labelledby|describedby|controls|owns|activedescendant|details|live)|for|name|autofocus|tabindex|value|src|srcset|ping|target|action|formaction)$/.test(
    attribute,
  ) ||
  (attribute === 'id' && !inDrawing);

/** Describes what an element shows: no scripts, no frames, no values of fields, no names that other elements refer to. */
export function describe(element: Element): Drawn {
  const isDrawing = element.namespaceURI === svgSpace;
  const name = asDivision.has(element.localName) ? 'div' : element.localName;
  const attributes = Object.fromEntries(
    [...element.attributes].filter(({ name: each }) => !isLeftOut(each, isDrawing)).map(({ name: each, value }) => [each, value]),
  );
  // A text area holds what was typed as its text.
  const shown = name === 'textarea' ? [] : [...element.childNodes];
  const parts = shown.flatMap((node): Drawn[] => {
    if (node instanceof Text) return node.data === '' ? [] : [node.data];
    return node instanceof Element && !leftOut.has(node.localName) ? [describe(node)] : [];
  });
  return [name, attributes, parts];
}

/**
 * Draws what was described, by elements and attributes and never by markup, so that nothing in it can act. Nothing takes the focus.
 * @throws DOMException when the description holds a name that no element has
 */
export function draw(drawn: Drawn, within = ''): Node {
  if (typeof drawn === 'string') return document.createTextNode(drawn);
  const [name, attributes, parts] = drawn;
  const space = name === 'svg' ? svgSpace : within;
  if (leftOut.has(name)) return document.createTextNode('');
  const element = space === '' ? document.createElement(name) : document.createElementNS(space, name);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (isLeftOut(attribute, space !== '')) continue;
    // The policy of the page refuses styles as attributes.
    if (attribute === 'style') (element as HTMLElement).style.cssText = value;
    else element.setAttribute(attribute, value);
  }
  if (/^(a|button|input|select|textarea|summary)$/.test(name)) element.setAttribute('tabindex', '-1');
  element.append(...parts.map(part => draw(part, name === 'foreignObject' ? '' : space)));
  return element;
}
