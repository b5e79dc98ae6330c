import { type Endpoint, secondPersonOf, staffPermissionKeys } from '@portal/contract';
import { api } from '@portal/contract/api';

import { expect, it } from 'vitest';
import { secondPersonPermissions } from './permission-marks.ts';

it('the permissions marked with a second person are those of which an act takes one', () => {
  const calls: readonly Endpoint[] = Object.values(api).flatMap(group => Object.values(group as Record<string, Endpoint>));
  const takeOne = calls
    .filter(call => secondPersonOf(call) !== null)
    .flatMap(({ access }) => (access.who === 'staff' ? access.permissions : []));
  expect(staffPermissionKeys.filter(key => takeOne.includes(key))).toEqual(
    staffPermissionKeys.filter(key => secondPersonPermissions.includes(key)),
  );
});
