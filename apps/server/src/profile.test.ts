import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { profileGroups, profileValues, readProfile } from './profile.ts';
import specification from '../../../packages/contract/test/spec-checklist.json' with { type: 'json' };
import contrary from '../test/contrary-profile.json' with { type: 'json' };

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'profile-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));
const fileOf = (given: unknown): string => {
  const file = path.join(folder, `${crypto.randomUUID()}.json`);
  fs.writeFileSync(file, typeof given === 'string' ? given : JSON.stringify(given));
  return file;
};
const refusalOf = (given: unknown, options = {}): string => {
  try {
    readProfile(fileOf(given), options);
  } catch (error) {
    return (error as Error).message.replaceAll(/The registry profile \S+?: /g, '');
  }
  return 'taken';
};

describe('the profile of a registry', () => {
  test('has the days to pay of the specification where a registry says nothing else', () => {
    expect(readProfile(fileOf({}), {}).billingCalendar.dueDays).toBe(specification.constants.paymentDueDays);
  });

  test('names every entry that is wrong, with what would be right', () => {
    const given = {
      timeZone: 'Mars/Olympus',
      reverseServers: [1, 2],
      serviceRegion: null,
      reverseZones: { a: 1 },
      currency: 'GOLD',
      taxRate: '1.5',
      reactivationFee: 1000,
      nationalRegistries: [{ economy: 'CN', name: 'CNNIC' }],
      billingMail: 'x@y.example',
      requestPolicy: { transferFeeShare: 'abc', answerDays: -4, recoveryDays: { unpaid: 30 } },
    };
    const said = refusalOf(given).split('\n');
    expect(said.map(each => /^"(.+?)"/.exec(each)![1])).toEqual([
      'timeZone',
      'reverseServers',
      'serviceRegion',
      'reverseZones',
      'currency',
      'taxRate',
      'reactivationFee',
      'nationalRegistries',
      'billingMail',
      'requestPolicy.transferFeeShare',
      'requestPolicy.answerDays',
      'requestPolicy.recoveryDays',
    ]);
    expect(said[0]).toBe('"timeZone" must be a time zone of the IANA database such as Europe/Amsterdam.');
    expect(said[8]).toMatch(/^"billingMail" is unknown; known are registryName, product,/);
    expect(said[10]).toBe('"requestPolicy.answerDays" must be a whole number of days from 1 to 3,650.');
  });

  test.each(['[]', 'null', '"text"', '{', '{"requestPolicy":[]}', '{"toString":1}', '{"requestPolicy":{"constructor":1}}'])(
    'refuses %s',
    text => {
      expect(() => readProfile(fileOf(text))).toThrow(/^The registry profile /);
    },
  );

  test('refuses sizes that contradict each other', () => {
    expect(refusalOf({ requestPolicy: { ixpLargest: 28 } })).toBe(
      '"requestPolicy.ixpLargest" (28) may not be above "requestPolicy.ixpUsual" (26).',
    );
  });

  test('refuses days of billing in another order than they come', () => {
    expect(refusalOf({ billingCalendar: { closingDays: 40 } })).toBe(
      '"billingCalendar.closingWarningDays" (50) may not be above "billingCalendar.closingDays" (40).',
    );
  });

  test.each([
    ['without a last tier for any size', [{ name: 'Small', ipv4: '/22', ipv6: '/32', votes: 1 }]],
    [
      'in another order than by size',
      [
        { name: 'Large', ipv4: '/19', ipv6: '/32', votes: 1 },
        { name: 'Small', ipv4: '/22', ipv6: '/32', votes: 2 },
        { name: 'Rest', ipv4: 'any', ipv6: 'any', votes: 3 },
      ],
    ],
    [
      'with two of one name',
      [
        { name: 'Small', ipv4: '/19', ipv6: '/32', votes: 1 },
        { name: 'Small', ipv4: 'any', ipv6: 'any', votes: 3 },
      ],
    ],
    ['with a size that is none', [{ name: 'All', ipv4: '/7', ipv6: 'any', votes: 1 }]],
  ])('refuses tiers of votes %s', (_what, votingTiers) => {
    expect(refusalOf({ votingTiers })).toMatch(
      /^"votingTiers" must be a list of 1 to 50 values, .* only the last one any of both families\.$/,
    );
  });

  test('refuses a list of economies with a day that is none', () => {
    expect(refusalOf({ leastDevelopedEconomies: [{ economy: 'KH', from: '2026-02-30', until: null }] })).toMatch(
      /^"leastDevelopedEconomies" must be a list/,
    );
  });

  test('takes every value of the example, and of a registry that has others for all of them', () => {
    expect(refusalOf(readProfile(''))).toBe('taken');
    const read = readProfile(fileOf(contrary), { isProduction: true });
    // An IBAN has no spaces from here on.
    expect(read).toEqual({ ...contrary, iban: contrary.iban.replaceAll(' ', '') });
    const example = readProfile('');
    for (const key of Object.keys(profileValues) as (keyof typeof profileValues)[]) expect(read[key], key).not.toEqual(example[key]);
    for (const group of Object.keys(profileGroups) as (keyof typeof profileGroups)[])
      for (const [key, value] of Object.entries(read[group]))
        expect(value, key).not.toEqual((example[group] as Record<string, unknown>)[key]);
  });

  test('in production has nothing made up, and names what members read', () => {
    const production = { isProduction: true };
    expect(() => readProfile('', production)).toThrow('REGISTRY_PROFILE must name a file in production');
    const { paymentInstructions: _, ...withoutAccount } = contrary;
    expect(refusalOf(withoutAccount, production)).toBe('"paymentInstructions" is missing: members read it, so it is named in production.');
    expect(refusalOf({ ...contrary, invoiceName: readProfile('').invoiceName }, production)).toBe(
      '"invoiceName" is still the example registry’s.',
    );
    // One line of another name above the example's bank would have members pay there.
    const [, exampleBank] = readProfile('').paymentInstructions;
    expect(refusalOf({ ...contrary, paymentInstructions: ['By bank transfer to Northnic', exampleBank] }, production)).toBe(
      '"paymentInstructions" is still the example registry’s.',
    );
    expect(refusalOf({ ...contrary, invoiceAddress: ['2 Other Street', 'Australia'] }, production)).toBe('taken');
    // What a registry decides may be what the example decided.
    expect(refusalOf({ ...contrary, holdYears: readProfile('').holdYears }, production)).toBe('taken');
    const { lockReleaseHours: __, ...withoutUsual } = contrary;
    expect(readProfile(fileOf(withoutUsual), production).lockReleaseHours).toBe(72);
    // Numbers of the demonstration stay there: a file that was begun with `registry profile` has them.
    expect(refusalOf({ ...contrary, labNumbers: readProfile('').labNumbers }, production)).toBe(
      '"labNumbers" is still the example registry’s.',
    );
    const { labNumbers: ___, ...withoutLab } = contrary;
    expect(readProfile(fileOf(withoutLab), production).labNumbers).toEqual([]);
    expect(refusalOf(readProfile(''), production).split('\n').length).toBe(
      Object.values(profileValues).filter(({ origin }) => origin === 'own' || origin === 'lab').length,
    );
  });

  test('has no numbers of a laboratory unless its file names them', () => {
    expect(readProfile(fileOf({})).labNumbers).toEqual([]);
    expect(readProfile(fileOf({}), { isDemo: true }).labNumbers).toContain('192.0.2.0/24');
  });
});
