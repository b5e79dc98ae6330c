import { expect, it } from 'vitest';
import { mergedWith, withoutRuntime } from './merge-runtime.ts';

const runtime = 'var e=t=>t+1,n=t=>t+2;export{n as t,e as r};';

it('React’s file holds the helpers, uses them and hands them on', async () => {
  const merged = mergedWith(
    'import{t as a}from"./rolldown-runtime-X.js";const two=a(0);export{two as x};\n//# sourceMappingURL=react.js.map',
    runtime,
    'rolldown-runtime-X.js',
  );
  const { x, helper_r, helper_t } = (await import(`data:text/javascript,${encodeURIComponent(merged)}`)) as {
    x: number;
    helper_r: (n: number) => number;
    helper_t: (n: number) => number;
  };
  expect([x, helper_r(0), helper_t(0)]).toEqual([2, 1, 2]);
});

it('other files take the helpers from there, and documents name one file less', () => {
  const into = 'react-Y.js';
  expect(withoutRuntime('import{n as e,r as t}from"./rolldown-runtime-X.js";e(t)', 'rolldown-runtime-X.js', into)).toBe(
    'import{helper_n as e,helper_r as t}from"./react-Y.js";e(t)',
  );
  // A helper that keeps its name is named once.
  expect(withoutRuntime('import{r as e,t}from"./rolldown-runtime-X.js";e(t)', 'rolldown-runtime-X.js', into)).toBe(
    'import{helper_r as e,helper_t as t}from"./react-Y.js";e(t)',
  );
  expect(
    withoutRuntime('<i>\n  <link rel="modulepreload" crossorigin href="/assets/rolldown-runtime-X.js"></i>', 'rolldown-runtime-X.js', into),
  ).toBe('<i></i>');
  expect(withoutRuntime('["assets/rolldown-runtime-X.js"]', 'rolldown-runtime-X.js', into)).toBe('["assets/react-Y.js"]');
});
