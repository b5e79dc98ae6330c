import { AccountName } from '@portal/contract/applications/application-form';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { accountNamesFrom, registrationKeyOf } from './account-names.ts';

const nothing = { orgName: '', tradingName: '', website: '', abuseEmail: '', economy: 'AU' };

test.each([
  ['Example Networks Pty Ltd', 'EXAMPLE-NETWORKS-AU'],
  ['Société d’Énergie Lagune S.A.', 'SOCIETE-DENERGIE-LAGUNE-AU'],
  ['The University of Papua', 'UNIVERSITY-PAPUA-AU'],
  ['ＦＵＬＬ　ＷＩＤＴＨ', 'FULL-WIDTH-AU'],
  ['360 Degrees', 'DEGREES-AU'],
  ['礁湖网络有限公司', 'MEMBER-AU'],
])('%s would like to be called %s', (orgName, accountName) => {
  expect(accountNamesFrom({ ...nothing, orgName })[0]).toBe(accountName);
});

test('an organisation without Latin letters in its name gets a name from its trading name or domain', () => {
  const named = { ...nothing, orgName: 'شركة البحيرة', tradingName: 'Buhaira', website: 'https://www.lagoon-net.example', economy: 'PK' };
  expect(accountNamesFrom(named)).toEqual(['BUHAIRA-PK', 'LAGOON-NET-PK', 'MEMBER-PK']);
});

test('for any input only valid account names are proposed, and always at least one', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 80 });
  fc.assert(
    fc.property(text, text, text, text, (orgName, tradingName, website, abuseEmail) => {
      const names = accountNamesFrom({ orgName, tradingName, website, abuseEmail, economy: 'NZ' });
      expect(names.length).toBeGreaterThan(0);
      for (const name of names) expect(z.parse(AccountName, name)).toBe(name);
    }),
  );
});

test('registration numbers are compared without spacing', () => {
  expect(registrationKeyOf(' abn 00 000-000.019')).toBe(registrationKeyOf('ABN 00000000019'));
  expect(registrationKeyOf('京公网安备 110-5')).toBe('京公网安备1105');
  expect(registrationKeyOf(' - ')).toBeNull();
});
