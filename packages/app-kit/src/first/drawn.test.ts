// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { describe, draw, type Drawn } from './drawn.ts';

const described = (markup: string): Drawn => {
  const element = document.createElement('div');
  element.innerHTML = markup;
  return describe(element.firstElementChild!);
};
const drawnAgain = (markup: string): Element => draw(JSON.parse(JSON.stringify(described(markup))) as Drawn) as Element;

test('what an element shows is drawn again: words, classes, styles and links', () => {
  const again = drawnAgain(
    '<section class="sheet" style="height: 4px" data-x="1">A &lt;b&gt; <a href="/billing" class="link">Billing</a></section>',
  );
  expect(again.className).toBe('sheet');
  expect((again as HTMLElement).style.height).toBe('4px');
  expect(again.textContent).toBe('A <b> Billing');
  expect(again.querySelector('a')!.getAttribute('href')).toBe('/billing');
});

test('drawings keep their names and their space', () => {
  const again = drawnAgain(
    '<p id="one"><svg viewBox="0 0 4 4"><pattern id="hatch"></pattern><path fill="url(#hatch)" d="M0 0h4"></path></svg></p>',
  );
  expect(again.id).toBe('');
  expect(again.querySelector('path')!.namespaceURI).toBe('http://www.w3.org/2000/svg');
  expect(again.querySelector('pattern')!.id).toBe('hatch');
});

test('nothing in it acts, holds what was typed, or takes the focus', () => {
  const again = drawnAgain(
    '<div><form action="/x"><input value="secret" name="code" autofocus><button onclick="alert(1)" id="go" tabindex="0">Go</button></form><iframe src="/y"></iframe><script>1</script></div>',
  );
  expect(again.querySelector('form, iframe, script')).toBeNull();
  expect(again.outerHTML).not.toMatch(/secret|onclick|autofocus|name=|id=/);
  expect([...again.querySelectorAll('input, button')].map(each => each.getAttribute('tabindex'))).toEqual(['-1', '-1']);
});

test('a description that someone else wrote draws no script and no handler', () => {
  const again = draw([
    'div',
    { onclick: 'alert(1)', class: 'x' },
    [
      ['script', {}, ['alert(1)']],
      ['iframe', { src: '/x' }, []],
    ],
  ]) as Element;
  expect(again.outerHTML).toBe('<div class="x"></div>');
});

test('what was typed into a text area is left out', () => {
  const element = document.createElement('textarea');
  element.defaultValue = 'not sent yet';
  expect(JSON.stringify(describe(element))).not.toContain('not sent');
});
