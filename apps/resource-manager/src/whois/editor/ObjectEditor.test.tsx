import type { Draft } from '@portal/app-kit';
import type { WhoisProblem } from '@portal/contract/whois/whois';
import { type AttributeName, classNames, objectsOfText } from '@portal/rpsl';
import { fireEvent, renderHook, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, test } from 'vitest';
import { show } from '@portal/app-kit/testing';
import { rightTexts, type InvalidObject, invalidObjects, withLine } from '../../../../../packages/rpsl/test/update-table.ts';
import type { Unsaved } from './edited-object.ts';
import { ObjectEditor } from './ObjectEditor.tsx';
import { useTextFindings } from '../updates/text-findings.ts';

/** The page of a new object; submissions are refused with `problems`. */
function Editor({ of }: { of: (typeof classNames)[number] }) {
  const [value, set] = useState<Unsaved | null>(null);
  const draft = { value, set, discard: () => set(null), restored: false } as unknown as Draft<Unsaved | null>;
  return <ObjectEditor objectClass={of} stored={null} initial={rightTexts[of]} draft={draft} />;
}

const write = (text: string): void => {
  // Found by selector: by role, each of hundreds of cases would search the whole page.
  fireEvent.change(document.querySelector('textarea[aria-label="Text of the object"]')!, { target: { value: text } });
};
const buttons = (): string[] => [...document.querySelectorAll('button')].map(({ textContent }) => textContent);
/** The lines of the list of findings. */
const found = (): string[] =>
  [...document.querySelectorAll<HTMLElement>('ul[aria-label="Problems"] > li')].map(({ textContent }) => textContent);
/** Fields of the form that are marked as wrong: their attributes, and which of several. */
const marked = (): string[] =>
  [...document.querySelectorAll<HTMLElement>('[data-attribute]')].flatMap(field =>
    field.querySelector('[aria-invalid="true"]') ? [field.dataset.attribute!] : [],
  );

const problem: WhoisProblem = {
  severity: 'error',
  code: '',
  attribute: null,
  line: null,
  message: '',
  maintainers: [],
  objects: [],
  count: 0,
};
const refused = { state: 'failed', done: null, key: '', shown: '', beforeVersion: null, afterVersion: null, before: null, after: null };

const wordsOf = ({ code, attribute, line, name }: InvalidObject): RegExp =>
  code === 'attribute-missing'
    ? new RegExp(`^Add ${name.replace('without ', '')}\\. Every`)
    : code === 'class-unknown'
      ? new RegExp(`^Line 1${attribute}: .*isn’t an object type`)
      : new RegExp(`^Line ${line}${attribute}: ${attribute} can be given once`);

describe.each(classNames)('the page of a new %s', className => {
  const spoilt = invalidObjects(className);

  test('missing and repeated attributes are marked in place, before anything is sent', () => {
    const { sent } = show(<Editor of={className} />);
    expect([found(), marked()]).toEqual([[], []]);
    for (const each of spoilt.filter(({ shows }) => shows === 'alone')) {
      write(each.text);
      expect({ name: each.name, found: found() }).toEqual({
        name: each.name,
        found: expect.arrayContaining([expect.stringMatching(wordsOf(each))]),
      });
      if (each.line === null) expect(buttons()).toContain(`Add ${each.name.replace('without ', '')} (required)`);
      else expect({ name: each.name, marked: marked() }).toEqual({ name: each.name, marked: expect.arrayContaining([each.attribute]) });
    }
    // Names of the handles are looked up; the object itself isn't sent.
    expect(sent.filter(({ endpoint }) => endpoint !== 'whois.complete')).toEqual([]);
  });

  test('marks what the database found in a dry run: every missing reference, and whose consent is missing', async () => {
    let answer: WhoisProblem[] = [];
    show(<Editor of={className} />, {
      answer: ({ endpoint }) =>
        endpoint === 'whois.previewUpdates'
          ? { status: 200, data: { outcomes: [{ ...refused, class: className, problems: answer }] } }
          : { status: 200, data: { rows: [] } },
    });
    const names = spoilt.flatMap(({ shows, attribute }) => (shows === 'among others' ? [attribute as AttributeName] : []));
    const text = names.reduce((before, name) => withLine(before, name, 'NONE'), rightTexts[className]);
    const lineOf = (name: string): number => text.split('\n').findIndex(line => line.startsWith(`${name}:`)) + 1;
    answer = [
      ...names.map(name => ({ ...problem, code: 'reference-missing', attribute: name, line: lineOf(name), message: `no such ${name}` })),
      { ...problem, code: 'not-authorised', message: 'It takes MAINT-OTHER', maintainers: ['MAINT-OTHER'] },
    ];
    write(text);
    fireEvent.click(screen.getByRole('button', { name: 'Dry run' }));
    await screen.findByText('This can’t be saved yet:');
    expect(marked()).toEqual(expect.arrayContaining(names));
    expect(found()).toEqual(
      expect.arrayContaining([...names.map(name => `Line ${lineOf(name)}${name}: no such ${name}`), 'It takes MAINT-OTHER']),
    );
    expect(screen.queryByRole('button', { name: 'Save object' })).toBeNull();
  });

  test('is marked in a text upload at the same lines, counted in the whole text', async () => {
    const alone = spoilt.filter(({ shows }) => shows === 'alone');
    const objects = objectsOfText(alone.map(({ text }) => text).join('\n'));
    const { result } = renderHook(() => useTextFindings(objects));
    await waitFor(() => expect(result.current.isDone && result.current.checked === objects.length).toBe(true));
    for (const [index, { name, code, attribute, line }] of alone.entries()) {
      const start = objects[index]!.line;
      const end = objects[index + 1]?.line ?? Infinity;
      const own = result.current.findings.filter(each => each.line! >= start && each.line! < end);
      expect({ name, own }).toEqual({
        name,
        own: expect.arrayContaining([expect.objectContaining({ severity: 'error', code, attribute, line: start + (line ?? 1) - 1 })]),
      });
    }
  });
});
