import { useAccount, useAddress, useChange, useKit, useRefusal } from '@portal/app-kit';
import { rpki, type RpkiStatus } from '@portal/contract/rpki/rpki';
import { Button, Checkbox, EmptyState, KeyValueList, Link, Row, Section, Sheet, Stack, Steps } from '@portal/ui';
import { AddressText } from '@portal/ui/action/AddressText';
import { useState } from 'react';
import { ResourceList } from './ResourceList.tsx';

const steps = ['What it does', 'What is certified', 'Enable'];
const words = ['one', 'two', 'three'] as const;

/** Sets up hosted RPKI in three steps: what it means, which resources, and confirmation. The step is part of the address. */
export function EnableRpki({ status }: { status: RpkiStatus }) {
  const { accountName: account } = useAccount();
  const address = useAddress();
  const { notify } = useKit();
  const [isAgreed, setAgreed] = useState(false);
  const refusal = useRefusal(rpki.enable);
  const enable = useChange(rpki.enable, {
    refresh: [rpki.getStatus, rpki.listHistory],
    onDone: () => {
      address.set({ step: null });
      notify({ text: `RPKI is enabled for ${account}. The certificate is published within seconds.` });
    },
  });
  const current = words.indexOf(address.oneOf('step', words));
  const go = (to: number) => address.set({ step: words[to] ?? null }, { step: true });
  if (status.held.length === 0)
    return (
      <Sheet aria-label="RPKI">
        <EmptyState title="No number resources yet" action={<Link href="/resources/summary">See Resources</Link>}>
          A certificate covers the resources of {account}. You can enable RPKI once the account holds some.
        </EmptyState>
      </Sheet>
    );
  return (
    <Sheet
      title="Enable RPKI"
      actions={<Steps steps={steps} current={current} />}
      footer={
        <Row gap={8} wrap>
          {current < 2 ? (
            <Button variant="primary" onClick={() => go(current + 1)}>
              Next: {steps[current + 1]!.toLowerCase()}
            </Button>
          ) : (
            <Button
              variant="commit"
              busy={enable.isPending}
              refusal={refusal ?? (isAgreed ? null : { reason: 'Confirm that the registry may keep the keys' })}
              onClick={() => enable.mutate({ account })}
            >
              Enable RPKI
            </Button>
          )}
          {current > 0 && <Button onClick={() => go(current - 1)}>Back</Button>}
        </Row>
      }
    >
      {current === 0 && (
        <Stack gap={16}>
          <p>
            Resource Public Key Infrastructure (RPKI) lets networks everywhere check that an AS is allowed to announce your prefix. You
            state it in a Route Origin Authorisation (ROA). Announcements that contradict a ROA are dropped by most large networks.
          </p>
          <KeyValueList
            align="left"
            items={[
              { key: 'Enabling alone', value: 'Changes nothing in routing. Only ROAs do, and you see their effect before you save one.' },
              {
                key: 'The registry',
                value: 'Keeps the keys, renews certificates and ROAs before they end, and publishes every change within seconds.',
              },
              { key: 'You', value: 'Decide which AS may originate which prefix. You can revoke everything here at any time.' },
            ]}
          />
        </Stack>
      )}
      {current === 1 && (
        <Section
          title="Resources of your certificate"
          words="Everything the account holds. It follows when resources are added, returned or transferred."
        >
          <ResourceList resources={status.held} />
        </Section>
      )}
      {current === 2 && (
        <Stack gap={16}>
          <KeyValueList
            align="left"
            items={[
              { key: 'Account', value: account },
              { key: 'Certificate for', value: `${status.held.length} ${status.held.length === 1 ? 'resource' : 'resources'}` },
              { key: 'Keys', value: 'Kept encrypted by the registry' },
              { key: 'Published at', value: <AddressText text={status.repository.rsync} /> },
            ]}
          />
          <Checkbox checked={isAgreed} onChange={event => setAgreed(event.target.checked)}>
            The registry may keep the keys of {account} and sign for it
          </Checkbox>
        </Stack>
      )}
    </Sheet>
  );
}
