import { setAsidePermissions } from '@portal/contract';
import { workPermissions } from '@portal/contract/work-permissions';
import { expect, test } from 'vitest';
import { modules } from '../../modules.ts';
import { scheduleOf } from '../../platform/periodic-work.ts';

test('every kind of background work says who looks after it', () => {
  const names = [...modules.flatMap(({ tasks }) => tasks ?? []), ...scheduleOf(modules)].map(({ name }) => name.split('.')[0]!);
  expect([...new Set(names)].filter(name => !(name in workPermissions))).toEqual([]);
});

test('work that was set aside is listed for those who look after some kind of it', () => {
  expect([...new Set(Object.values(workPermissions).flat())].toSorted()).toEqual([...setAsidePermissions].toSorted());
});
