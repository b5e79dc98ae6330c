import { expect, it } from 'vitest';
import { classNamesIn, scopedName } from './class-names.ts';

it.each([
  ['/x/apps/portal/src/pages/Home.module.css', 'portal_Home_tile'],
  ['/x/packages/ui/src/layout/Shell.module.css', 'Shell_tile'],
])('a class of %s has the name of its application and its sheet', (file, name) => expect(scopedName('tile', file)).toBe(name));

it('lists the classes of all selectors once, and ignores values and comments', () => {
  const css = `
    /* .gone { } */
    @import url("other.css");
    .tile, .tile:hover > .mark:not(.open) { margin: 0.5em; background: url(a.png); }
    @media (min-width: 62.5em) { .wide.tile { inset: .25rem; } @supports (display: grid) { .deep { order: 1; } } }
    @keyframes turn { from { rotate: 0.1turn; } }
  `;
  expect(Object.keys(classNamesIn(css, 'A.module.css'))).toEqual(['tile', 'mark', 'open', 'wide', 'deep']);
});

it('a sheet that composes classes is refused with what to do instead', () =>
  expect(() => classNamesIn('.a { composes: b from "./B.module.css"; }', 'A.module.css')).toThrow('Use both classes'));
