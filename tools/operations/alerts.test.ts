import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../root.ts';

const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const rules = read('ops/alerts.yml');
const alerts = [...rules.matchAll(/^ +- alert: (\w+)$/gm)].map(([, name]) => name!);
/** Expressions of the rules: one line, or the lines of a block. */
const ruleExpressions = [...rules.matchAll(/^( +)expr: (?:\|\n((?:\1 +.*\n)+)|(.*))$/gm)].map(([, , block, line]) => block ?? line!);
type Panel = { title: string; description?: string; targets?: { expr: string }[] };
const { panels } = JSON.parse(read('ops/dashboard.json')) as { panels: Panel[] };
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

/** Metrics that the program declares with a type, and the one that Prometheus adds to each scrape. */
const declared = new Set([
  'up',
  ...globSync('apps/server/src/**/*.ts', { cwd: root, exclude: name => name.endsWith('.test.ts') }).flatMap(file =>
    [...read(file).matchAll(/# TYPE (\w+) (?:counter|gauge)|new Durations\('(\w+)'\)/g)].map(([, name, histogram]) => (name ?? histogram)!),
  ),
]);

/** The histogram that a series is a part of, or the metric itself. */
const wholeOf = (name: string): string => {
  const whole = name.replace(/_(?:bucket|sum|count)$/, '');
  return declared.has(whole) ? whole : name;
};

/** Returns the metrics of an expression: words that are no label, function or keyword. */
const metricsOf = (expression: string): string[] =>
  (
    expression
      .replace(/\{[^}]*\}|"[^"]*"|\[[^\]]*\]|\$\w+/g, ' ')
      .replace(/\b(?:by|on|without|group_left|group_right|ignoring)\s*\([^)]*\)/g, ' ')
      .match(/\b[a-z_]\w*\b(?!\s*\()/g) ?? []
  ).filter(word => !/^(?:and|or|unless|sum|max|min|count|topk|e\d+)$/.test(word));

test('alerts and dashboard name metrics that the program has', () => {
  expect(declared.size).toBeGreaterThan(25);
  expect(ruleExpressions).toHaveLength(alerts.length);
  const expressions = [...ruleExpressions, ...panels.flatMap(({ targets }) => targets?.map(({ expr }) => expr) ?? [])];
  const named = new Set(expressions.flatMap(metricsOf).map(wholeOf));
  expect([...named].filter(name => !declared.has(name))).toEqual([]);
  // The other way round: what is measured is looked at.
  expect([...declared].filter(name => !named.has(name))).toEqual([]);
});

test('the names of metrics are read from an expression', () => {
  expect(metricsOf('sum by (of) (rate(a_total{x="b_c"}[5m])) / on (job) c_bytes > 1.7e9 and max(d) unless e')).toEqual([
    'a_total',
    'c_bytes',
    'd',
    'e',
  ]);
});

test('each alert has a section of the runbook and both kinds of tests, and the dashboard names only alerts there are', () => {
  expect(alerts.length).toBeGreaterThan(15);
  const runbook = read('docs/operating/runbook.md');
  const tests = read('ops/alerts.test.yml');
  expect([...runbook.matchAll(/^## (\w+)$/gm)].map(([, name]) => name!).sort()).toEqual([...alerts].sort());
  for (const alert of alerts) {
    expect(tests).toContain(`name: ${alert} fires`);
    expect(tests).toContain(`name: ${alert} stays quiet`);
  }
  for (const section of runbook.split(/^## /m).slice(1)) {
    for (const part of ['**It means**', '**Look at**', '**Do**']) expect(section).toContain(part);
  }
  const named = panels.flatMap(({ description = '' }) => /Alerts?: (.*)/.exec(description)?.[1]?.split(', ') ?? []);
  expect(named.filter(name => !alerts.includes(name))).toEqual([]);
});

test.skipIf(!hasPromtool)('each alert fires for its cause, and not for what looks like it', { timeout: 60_000 }, () => {
  for (const [kind, file] of [
    ['check', 'ops/alerts.yml'],
    ['test', 'ops/alerts.test.yml'],
  ] as const) {
    const { status, stdout, stderr } = spawnSync('promtool', [kind, 'rules', file], { cwd: root, encoding: 'utf8' });
    expect(status, `${stdout}${stderr}`).toBe(0);
  }
});
