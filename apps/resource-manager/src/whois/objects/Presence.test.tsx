import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { show } from '@portal/app-kit/testing';
import { Presence } from './Presence.tsx';

const presence = <Presence objectClass="as-set" objectKey="as64500:as-all" />;
const answered = (others: string[]) => ({ answer: () => ({ status: 200, data: { others } }) });

test('colleagues who edit the object are named, and leaving is reported', async () => {
  const { sent, rerender } = show(presence, answered(['Nadia Berg']));
  expect((await screen.findByText('Nadia Berg is also editing this object')).closest('output')).not.toBeNull();
  const body = { class: 'as-set', key: 'as64500:as-all' };
  expect(sent).toEqual([{ endpoint: 'whois.presence.reportPresence', input: { account: 'EXAMPLE-AU', body } }]);
  rerender(<p />);
  await waitFor(() =>
    expect(sent.at(-1)).toEqual({
      endpoint: 'whois.presence.reportPresence',
      input: { account: 'EXAMPLE-AU', body: { ...body, leaves: 'yes' } },
    }),
  );
});

test('several are listed, many are counted, and none shows nothing', async () => {
  const { unmount } = show(presence, answered(['Ada Ng', 'Bo Li']));
  expect(await screen.findByText('Ada Ng and Bo Li are also editing this object')).toBeDefined();
  unmount();
  const many = show(presence, answered(['A', 'B', 'C', 'D']));
  expect(await screen.findByText('4 colleagues are also editing this object')).toBeDefined();
  many.unmount();
  const { container, sent } = show(presence, answered([]));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(container.textContent).toBe('');
});
