import { Page, read, useAccount, useAddress, useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { Form, FormProblems } from '@portal/app-kit/form/Form';
import { type Form as FormState, joinedChanges, useForm } from '@portal/app-kit/form/use-form';
import { reverseDns } from '@portal/contract/reverse-dns/reverse-dns';
import { reverseZoneFiles } from '@portal/contract/reverse-dns/zone-files';
import { tasks } from '@portal/contract/tasks/tasks';
import { whois } from '@portal/contract/whois/whois';
import { Button, ButtonRow, Disclosure, Field, FormColumn, Select, Sheet, Stack, TextArea, TextInput } from '@portal/ui';
import { later } from '@portal/app-kit/page/later';
import { Suspense, useState } from 'react';
import { AccountNote } from '../../shell/AccountNote.tsx';
import { FirstRead } from '../../shell/FirstRead.tsx';
import { TableSkeleton } from '../../shell/TableSkeleton.tsx';
import { changedReads } from '../text/changed-reads.ts';
import { ZoneContacts } from './ZoneContacts.tsx';
import { hrefOfObjectsTask } from '../tasks/task-words.ts';
import { FileDrop } from '../updates/FileDrop.tsx';

const example = `$ORIGIN 18.198.in-addr.arpa.
4    NS  ns1.example.net.
     NS  ns2.example.net.
     DS  64431 13 2 3D1B19A8…
5    NS  ns1.example.net.
     NS  ns2.example.net.`;

/** The zones of a file, which are there after a preview. */
const ZonesOfFile = later(() => import('./ZonesOfFile.tsx'), 'ZonesOfFile');

/** /resources/whois-zonefile-upload: delegations from a zone file, parsed, checked, and saved by a task. */
export default function ZoneFileUploadPage() {
  const { accountName: account } = useAccount();
  return (
    <Page title="Zone file upload" sub="Delegate many reverse zones with a file of NS and DS records. Each becomes a domain object.">
      <AccountNote />
      <FirstRead reads={[read(whois.listMaintainers, { account }), read(reverseDns.getSummary, { account })]} fallback={<TableSkeleton />}>
        <Upload />
      </FirstRead>
    </Page>
  );
}

function Upload() {
  const { accountName: account } = useAccount();
  const { environment } = useKit();
  const address = useAddress();
  const { rows: maintainers } = useAnswer(whois.listMaintainers, { account });
  const { contacts } = useAnswer(reverseDns.getSummary, { account });
  const [previewed, setPreviewed] = useState('');
  const reading = useChange(reverseZoneFiles.readZoneFile, { showsErrors: true });
  const upload = useChange(reverseZoneFiles.uploadZoneFile, {
    showsErrors: true,
    refresh: [...changedReads, tasks.listTasks],
    onDone: ({ taskId }) => address.go(hrefOfObjectsTask(taskId, environment.product)),
  });
  const refusal = useRefusal(reverseZoneFiles.uploadZoneFile);
  const initial = { text: '', origin: '', adminC: '', techC: '', zoneC: '', mntBy: maintainers[0]?.maintainer ?? '' };
  /** The preview of these values; an edit ends it. */
  const previewOf = (values: typeof initial) =>
    previewed === JSON.stringify(values) && !reading.isPending ? (reading.data ?? null) : null;
  const writesOf = (values: typeof initial): number => {
    const seen = previewOf(values);
    if (!seen || seen.problems.some(({ severity }) => severity === 'error')) return 0;
    return seen.rows.filter(({ action }) => action === 'create' || action === 'modify').length;
  };
  const form = useForm(reverseZoneFiles.readZoneFile.body, initial, {
    name: 'zone-file',
    check: ({ text }) => ({ ...(text.trim() === '' && { text: 'Choose a file or paste its text' }) }),
    change: joinedChanges(upload, reading),
    send(body, values) {
      if (writesOf(values) > 0) return upload.mutate({ account, body });
      upload.reset();
      setPreviewed(JSON.stringify(values));
      reading.mutate({ account, body });
    },
  });
  const { values: fields, set } = form;
  const found = previewOf(fields);
  const canUpload = writesOf(fields) > 0;
  const writes = found?.rows.filter(({ action }) => action === 'create' || action === 'modify').length ?? 0;
  return (
    <Form form={form} label="Zone file" bare>
      <Stack gap={16}>
        <ZoneFileText form={form} />
        <Sheet title="Contacts of new zones" meta={<span>Delegated zones keep theirs</span>}>
          <FormColumn>
            <ZoneContacts fields={fields} onChange={set} field={form.field} usual={contacts} />
            <Field label="Maintainer" {...form.field('mntBy')}>
              <Select {...form.input('mntBy')} options={maintainers.map(({ maintainer }) => maintainer)} />
            </Field>
          </FormColumn>
        </Sheet>
        <FormProblems form={form} />
        <Sheet
          title="Review"
          meta={
            <span>
              {found
                ? `${found.total} ${found.total === 1 ? 'zone' : 'zones'} in the file, ${writes} to write`
                : 'Preview to see each change'}
            </span>
          }
          flush
          footer={
            <ButtonRow>
              {canUpload ? (
                <Button type="submit" variant="commit" busy={form.busy} refusal={refusal}>
                  Delegate {writes} {writes === 1 ? 'zone' : 'zones'} as a task
                </Button>
              ) : (
                <Button type="submit" variant="primary" busy={form.busy} refusal={refusal}>
                  Preview
                </Button>
              )}
            </ButtonRow>
          }
        >
          {found && (
            <Suspense fallback={<TableSkeleton />}>
              <ZonesOfFile rows={found.rows} problems={found.problems} />
            </Suspense>
          )}
        </Sheet>
      </Stack>
    </Form>
  );
}

/** The text of the file, and how relative names in it are meant. */
function ZoneFileText({ form }: { form: Pick<FormState<{ text: string; origin: string }>, 'field' | 'input' | 'set'> }) {
  return (
    <FileDrop onText={text => form.set({ text })}>
      {choose => (
        <Sheet title="Zone file" footer={choose}>
          <Stack gap={12}>
            <Field
              label="Text of the file"
              help="NS and DS records, and A or AAAA of servers inside a zone. Or a list: prefix, then servers, such as 198.18.4.0/22 ns1.example.net ns2.example.net."
              {...form.field('text')}
            >
              <TextArea mono rows={10} {...form.input('text')} placeholder={example} spellCheck={false} />
            </Field>
            <FormColumn>
              <Field label="Origin of relative names" optional help="Not needed if the file has $ORIGIN." {...form.field('origin')}>
                <TextInput mono {...form.input('origin')} placeholder="18.198.in-addr.arpa" />
              </Field>
            </FormColumn>
            <Disclosure summary="File format">
              <p className="small">
                The master file format of RFC 1035: $ORIGIN and $TTL, owners, comments after a semicolon, brackets over several lines. A
                zone needs two NS records or more. Other records belong in your own zone and are ignored. Delegate parts of a /24 there (RFC
                2317).
              </p>
            </Disclosure>
          </Stack>
        </Sheet>
      )}
    </FileDrop>
  );
}
