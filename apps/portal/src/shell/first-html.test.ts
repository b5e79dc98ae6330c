/// <reference types="node" />
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const portal = path.join(import.meta.dirname, '../..');
const parts = path.join(portal, '../../packages/ui/src');
const sheets = readdirSync(parts, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.css'));
const html = readFileSync(path.join(portal, 'index.html'), 'utf8');

/** The style sheet of a class, by its generated name: `Shell_top`, `portal_Waiting_side`, or a plain word. */
function sheetOf(name: string): { sheet: string; local: string } {
  const [, app, module, local] = /^(portal_)?([A-Z]\w*?)_(\w+)$/.exec(name) ?? [];
  if (app) return { sheet: readFileSync(path.join(import.meta.dirname, `${module}.module.css`), 'utf8'), local: local! };
  const file = sheets.find(sheet => path.basename(sheet) === (module ? `${module}.module.css` : 'base.css'));
  return { sheet: file ? readFileSync(path.join(parts, file), 'utf8') : '', local: local ?? name };
}

it('every class of the first HTML exists, so that it looks like the portal', () => {
  const names = new Set([...html.matchAll(/class="([^"]+)"/g)].flatMap(([, list]) => list!.split(' ')));
  expect(names.size).toBeGreaterThan(10);
  const missing = [...names].filter(name => {
    const { sheet, local } = sheetOf(name);
    return !new RegExp(`\\.${local}\\b`).test(sheet);
  });
  expect(missing).toEqual([]);
});

it('the first HTML has no script or style of its own, and has the placeholders that the server fills', () => {
  expect(html).not.toMatch(/<style|style="|<script(?![^>]*\ssrc=)/);
  expect(html).toContain('<!--env-->');
  expect(html).toContain('<html lang="en">');
});
