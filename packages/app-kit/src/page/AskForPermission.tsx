import { contacts } from '@portal/contract/contacts/contacts';
import { Button, DateText, SkeletonLines, Stack, TextInput } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { reading, useChange } from '../calls/answer.ts';
import { useKit, usePlace } from '../kit/kit.ts';
import type { RefusedBy } from './refusal.ts';

const listOf = (names: readonly string[]): string => new Intl.ListFormat('en', { type: 'conjunction' }).format(names);

/** People who can grant a permission, and the button that asks them. Read only when visible. */
export function AskForPermission({ permission, account }: { permission: NonNullable<RefusedBy['permission']>; account: string }) {
  const { call } = useKit();
  const { path } = usePlace();
  const [message, setMessage] = useState('');
  const ask = useChange(contacts.askForPermission, { refresh: [contacts.whoHoldsPermission], showsErrors: true });
  const { data, error } = useQuery(reading(call, contacts.whoHoldsPermission, { account, query: { permission } }));
  if (error) return <p>Couldn’t find who can help: {error.message}</p>;
  if (!data) return <SkeletonLines lines={1} label="Looking up who can help" />;
  const askedAt = ask.data?.askedAt ?? data.askedAt;
  const granters = data.granters.map(granter => granter.name);
  if (askedAt)
    return (
      <output>
        You asked {ask.data ? listOf(ask.data.asked) : 'for it'} on <DateText value={askedAt} />. You can ask again after 24 hours.
      </output>
    );
  if (granters.length === 0) return <p>No one in {account} can grant it right now. Registry staff can help.</p>;
  const others = granters.length - 1;
  return (
    <Stack gap={8} style={{ maxWidth: 'var(--measure)', justifyItems: 'start' }}>
      <p>
        It needs “{data.label}”. {listOf(granters)} can grant it.
      </p>
      <TextInput
        aria-label="Message, optional"
        placeholder="Message, optional"
        value={message}
        maxLength={500}
        onChange={event => setMessage(event.target.value)}
      />
      {ask.error && <p role="alert">{ask.error.message}</p>}
      <Button
        size="s"
        icon="mail"
        busy={ask.isPending}
        onClick={() => ask.mutate({ account, body: { permissions: [permission], page: path, message } })}
      >
        Ask {granters[0]}
        {others > 0 && ` and ${others} more`}
      </Button>
    </Stack>
  );
}
