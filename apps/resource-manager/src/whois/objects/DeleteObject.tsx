import { useAccount, useAddress, useAnswer, useChange, useKit } from '@portal/app-kit';
import { Form, FormProblems } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { whois, type WhoisObject, type WhoisOutcome } from '@portal/contract/whois/whois';
import { spacedKey } from '@portal/contract/whois/spaced-key';
import { Button, Field, Row, Stack, TextInput } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { Suspense, useState } from 'react';
import { changedReads } from '../text/changed-reads.ts';
import { hrefOfList, hrefOfObject } from '../text/object-address.ts';
import { ProblemList } from '../text/ProblemList.tsx';
import { ReferenceList } from './ReferenceList.tsx';
import { RefusedOutcomes } from '../tasks/RefusedOutcomes.tsx';

/** Maximum size of a group deleted together: a maintainer with its contacts, not half a network. */
const maxTogether = 10;

/** Confirms the deletion of an object: shows what refers to it, and asks for a reason. */
export function DeleteObject({ stored, onClose }: { stored: WhoisObject; onClose: () => void }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const address = useAddress();
  const [refused, setRefused] = useState<WhoisOutcome | null>(null);
  const remove = useChange(whois.submitUpdates, {
    refresh: changedReads,
    showsErrors: true,
    onDone: ({ outcomes }) => {
      const [outcome] = outcomes;
      if (outcome?.state !== 'ok') return setRefused(outcome ?? null);
      notify({ text: `${outcome.class} ${spacedKey(outcome.shown)} is deleted.` });
      address.go(hrefOfObject(outcome.class, outcome.shown, { view: 'history', saved: String(outcome.afterVersion) }));
    },
  });
  const { class: name, key, shown, text, version, references } = stored;
  const form = useForm(
    whois.submitUpdates.body,
    { reason: '' },
    {
      name: 'deletion',
      toBody: ({ reason }) => ({
        updates: [{ operation: 'delete', text, reason, expectedVersion: version, of: { class: name, key } }],
      }),
      fieldAt: place => place.replace(/^updates\.0\./, ''),
      change: remove,
      send: body => remove.mutate({ account, body }),
    },
  );
  return (
    <Dialog open onClose={onClose} title={`Delete ${name} ${spacedKey(shown)}?`} role="alertdialog">
      <Stack gap={16}>
        {references > 0 && (
          <Suspense fallback={null}>
            <Referring stored={stored} />
            {references <= maxTogether && <DeleteGroup stored={stored} />}
          </Suspense>
        )}
        <Form form={form} onClose={onClose}>
          {references === 0 && (
            <>
              <p>The object is removed from whois, IRR and RDAP immediately. You can restore it from its history.</p>
              {name.startsWith('route') && name !== 'route-set' && (
                <p className="small muted">A ROA for this prefix isn’t changed: it’s separate from the route object.</p>
              )}
              <Field label="Reason" optional help="Shown to people following this object." {...form.field('reason')}>
                <TextInput {...form.input('reason')} maxLength={500} />
              </Field>
            </>
          )}
          {refused && (
            <div role="alert">
              <ProblemList findings={refused.problems} label="Problems" />
            </div>
          )}
          <Row gap={8} wrap>
            <Button
              type="submit"
              variant="danger"
              busy={form.busy}
              refusal={
                references > 0 ? { reason: `${references === 1 ? 'One object refers' : `${references} objects refer`} to it` } : null
              }
              refusalIn="note"
            >
              Delete object
            </Button>
            <Button onClick={onClose}>Cancel</Button>
          </Row>
        </Form>
      </Stack>
    </Dialog>
  );
}

/** Returns the text that names an object for its deletion, without other attributes. */
function bareText(name: string, shown: string): string {
  const [, prefix, origin] = /^(.+?)(AS\d+)$/i.exec(shown) ?? [];
  if ((name === 'route' || name === 'route6') && prefix !== undefined) return `${name}: ${prefix}\norigin: ${origin}\n`;
  return name === 'person' || name === 'role' ? `${name}: ${shown}\nnic-hdl: ${shown}\n` : `${name}: ${shown}\n`;
}

/** Objects that reference each other, such as a maintainer and its person, are deleted together if nothing else references any of them. */
function DeleteGroup({ stored: { class: name, key, shown, text, version } }: { stored: WhoisObject }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const address = useAddress();
  const { rows } = useAnswer(whois.listReferences, { account, query: { class: name, key, limit: maxTogether } });
  const [report, setReport] = useState<readonly WhoisOutcome[] | null>(null);
  const updatesOf = (reason: string) => [
    { operation: 'delete' as const, text, reason, expectedVersion: version, of: { class: name, key } },
    ...rows.map(row => ({ operation: 'delete' as const, text: bareText(row.class, row.shown), reason })),
  ];
  const bodyOf = (reason: string) => ({ updates: updatesOf(reason), mode: 'atomic' as const });
  const count = rows.length + 1;
  const preview = useChange(whois.previewUpdates, { onDone: ({ outcomes }) => setReport(outcomes) });
  const remove = useChange(whois.submitUpdates, {
    refresh: changedReads,
    showsErrors: true,
    onDone({ outcomes }) {
      if (outcomes.some(({ state }) => state !== 'ok')) return setReport(outcomes);
      notify({ text: `${outcomes.length} objects are deleted.` });
      address.go(hrefOfList());
    },
  });
  const form = useForm(
    whois.submitUpdates.body,
    { reason: '' },
    {
      name: 'group-deletion',
      toBody: ({ reason }) => bodyOf(reason),
      fieldAt: place => place.replace(/^updates\.\d+\./, ''),
      change: remove,
      send: body => remove.mutate({ account, body }),
    },
  );
  const failed = report?.filter(({ state }) => state === 'failed') ?? [];
  if (report && failed.length === 0)
    return (
      <Form form={form} bare>
        <Stack gap={12}>
          <FormProblems form={form} />
          <p>No other objects need them, so all {count} objects can be deleted together. You can restore them from their history.</p>
          <Field label="Reason" optional help="Shown to people following these objects." {...form.field('reason')}>
            <TextInput {...form.input('reason')} maxLength={500} />
          </Field>
          <div>
            <Button type="submit" variant="danger" busy={form.busy}>
              Delete {count} objects
            </Button>
          </div>
        </Stack>
      </Form>
    );
  return (
    <Stack gap={12}>
      <RefusedOutcomes outcomes={failed} title={`They can’t be deleted together with ${spacedKey(shown)}:`} />
      <div>
        <Button busy={preview.isPending} onClick={() => preview.mutate({ account, body: bodyOf('') })}>
          Try to delete them together
        </Button>
      </div>
    </Stack>
  );
}

function Referring({ stored: { class: name, key, shown, references } }: { stored: WhoisObject }) {
  return (
    <>
      <p>
        {references === 1 ? 'One object refers' : `${references} objects refer`} to {spacedKey(shown)}. Change{' '}
        {references === 1 ? 'it' : 'these'} first:
      </p>
      <ReferenceList objectClass={name} objectKey={key} />
    </>
  );
}
