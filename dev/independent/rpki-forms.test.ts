import { chmodSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { printPrefix } from '@portal/number-resources';
import { printTal, validateRepository } from '@portal/rpki-objects';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rsyncdConfiguration } from '../../apps/server/src/modules/rpki/index.ts';
import { formsOfOthers, publishedInForm } from '../../packages/rpki-objects/test/forms-of-others.ts';
import { cryptography, keyOf } from '../../packages/rpki-objects/test/small-authority.ts';
import { canRunValidators, freePort, makeTls, serveRsync, type Validator, validatorOf } from './rpki-validators.ts';

const now = new Date(Math.floor(Date.now() / 1000) * 1000 - 1000);
const forms = formsOfOthers(now);
/** Locators that rpki-client reads in one run. */
const MAX_LOCATORS = 8;
/** Each form has an AS number of its own, which its payloads are found by. */
const numberOf = (place: number): number => 64_500 + place;
const ofNumber = (vrps: readonly string[], asNumber: number): string[] =>
  [...new Set(vrps.filter(vrp => vrp.startsWith(`AS${asNumber} `)))].sort();

/** Orders, optional parts and encodings of the programs that members and other registries publish with. */
describe.runIf(canRunValidators)('forms that other programs write', () => {
  let folder = '';
  let stop = (): void => {};
  const found = new Map<Validator, string[]>();
  let ours: { vrps: string[]; problems: string[] }[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'portal-forms-'));
    chmodSync(folder, 0o755);
    const port = await freePort();
    const base = `rsync://localhost:${port}/repository/`;
    const tree = path.join(folder, 'repository');
    mkdirSync(tree);
    const keys = { manifest: keyOf(), roa: keyOf() };
    const tals = new Map<string, string>();
    ours = forms.map(([, form], place) => {
      const name = `form-${place}`;
      const ta = publishedInForm(form, { base, name, now, keys: { ...keys, ta: keyOf() }, asNumber: numberOf(place) });
      mkdirSync(path.join(tree, name));
      const files = [[`${base}${name}.cer`, ta.bytes] as const, ...[...ta.files].map(([uri, { bytes }]) => [uri, bytes!] as const)];
      for (const [uri, bytes] of files) {
        const file = path.join(tree, uri.slice(base.length));
        writeFileSync(file, bytes);
        utimesSync(file, now, now);
      }
      tals.set(name, printTal({ comments: [], uris: [`${base}${name}.cer`], publicKey: ta.key.publicKey }));
      const read = validateRepository(ta.bytes, ta.key.publicKey, ta.files, { now: new Date(), cryptography, level: 'rfc' });
      return {
        vrps: read.vrps.map(({ asNumber, prefix, maxLength }) => `AS${asNumber} ${printPrefix(prefix)}-${maxLength}`),
        problems: read.problems.map(({ problem }) => problem),
      };
    });
    ({ stop } = await serveRsync(rsyncdConfiguration({ rpkiRsyncBase: base, rpkiDir: folder }), folder, port));
    const tls = await makeTls(path.join(folder, 'tls'));
    const names = [...tals];
    for (const kind of ['rpki-client', 'fort'] as const)
      for (let at = 0; at < names.length; at += MAX_LOCATORS) {
        const group = { folder: path.join(folder, `from-${at}`), tal: new Map(names.slice(at, at + MAX_LOCATORS)), ...tls };
        const { vrps } = await validatorOf(kind, 'rsync', group)();
        found.set(kind, [...(found.get(kind) ?? []), ...vrps]);
      }
  }, 240_000);
  afterAll(() => {
    stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('are twenty and more', () => expect(forms.length).toBeGreaterThanOrEqual(20));

  test.each(forms.map(([name], place) => [name, place] as const))('%s: rpki-client, fort and the portal read the same', (_name, place) => {
    const { vrps, problems } = ours[place]!;
    const wanted = ofNumber(found.get('rpki-client')!, numberOf(place));
    expect(wanted).not.toEqual([]);
    expect(ofNumber(found.get('fort')!, numberOf(place))).toEqual(wanted);
    expect({ vrps: ofNumber(vrps, numberOf(place)), problems }).toEqual({ vrps: wanted, problems: [] });
  });
});
