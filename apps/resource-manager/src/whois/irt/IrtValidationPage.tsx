import { Page, read, useAccount, useAddress, useAnswer, useChange, useKit } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { type IrtMailbox, whoisIrts } from '@portal/contract/whois/irts';
import { whois } from '@portal/contract/whois/whois';
import {
  Badge,
  Banner,
  Button,
  Checkbox,
  DateText,
  EmptyState,
  Field,
  FieldGroup,
  KeyValueList,
  Link,
  LinkButton,
  Row,
  Sheet,
  SkeletonRows,
  Stack,
  TextInput,
} from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { AccountNote } from '../../shell/AccountNote.tsx';
import { FirstRead } from '../../shell/FirstRead.tsx';
import { hrefOfObject } from '../text/object-address.ts';
import { hrefOfNewIrt, irtStateMarks } from './irt-words.ts';

/** /admin/irt-validation: the mailboxes of the account's irts, and the codes that prove that they are read. */
export default function IrtValidationPage() {
  const account = useAccount().accountName;
  return (
    <Page title="IRT validation" sub="Abuse mailboxes must be validated twice a year, with the code we e-mail to them.">
      <AccountNote />
      <FirstRead
        reads={[read(whoisIrts.listMailboxes, { account })]}
        fallback={
          <Sheet flush aria-label="Mailboxes">
            <SkeletonRows rows={4} label="Loading mailboxes" />
          </Sheet>
        }
      >
        <Mailboxes />
      </FirstRead>
    </Page>
  );
}

const refresh = [whoisIrts.listMailboxes, whois.listIrts, whois.getObject];

function Mailboxes() {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const address = useAddress();
  const { rows, restrictedBy, mayAsk } = useAnswer(whoisIrts.listMailboxes, { account });
  const resend = useChange(whoisIrts.sendCode, {
    refresh,
    onDone: ({ resendsLeft }, { body }) => notify({ text: `New code sent to ${body.mailbox}. ${resendsLeft} more today.` }),
  });
  const entered = rows.find(({ mailbox }) => mailbox === address.get('mailbox'));
  const byMailbox = Map.groupBy(rows, ({ mailbox }) => mailbox);
  return (
    <Stack gap={16}>
      {restrictedBy.length > 0 && (
        <Banner kind="error" title={`${account} can’t change whois objects.`}>
          {restrictedBy.map(({ mailbox, irt }) => `${mailbox} of ${irt}`).join(', ')} hasn’t been validated. Enter the code to lift the
          restriction immediately. You can still view everything and change IRT objects.
        </Banner>
      )}
      {rows.length === 0 && (
        <Sheet aria-label="Mailboxes">
          <EmptyState title="No mailboxes" action={<LinkButton href={hrefOfNewIrt}>New IRT</LinkButton>}>
            Mailboxes of IRT objects you maintain appear here a few minutes after an IRT is created.
          </EmptyState>
        </Sheet>
      )}
      {[...byMailbox.values()].map(each => (
        <Mailbox
          key={each[0]!.mailbox}
          rows={each}
          mayAsk={mayAsk}
          sending={resend.isPending && resend.variables.body.mailbox === each[0]!.mailbox}
          onResend={() => resend.mutate({ account, body: { mailbox: each[0]!.mailbox } })}
          onEnter={() => address.set({ mailbox: each[0]!.mailbox }, { step: true })}
        />
      ))}
      {entered && <EnterCode key={entered.mailbox} mailbox={entered.mailbox} onClose={() => address.set({ mailbox: null })} />}
    </Stack>
  );
}

type MailboxProps = { rows: readonly IrtMailbox[]; mayAsk: boolean; sending: boolean; onResend: () => void; onEnter: () => void };

function Mailbox({ rows, mayAsk, sending, onResend, onEnter }: MailboxProps) {
  // The most urgent comes first.
  const row = rows[0]!;
  const { word, kind, icon } = irtStateMarks[row.state];
  const waits = row.state !== 'valid';
  const date = (value: string | null) => (value === null ? null : <DateText value={value} shape="date" />);
  const facts = [
    {
      key: 'Named by',
      value: rows.map(({ irt, attribute }, index) => (
        <span key={`${irt} ${attribute}`}>
          {index > 0 && ', '}
          <Link href={hrefOfObject('irt', irt)}>
            <span className="mono">{irt}</span>
          </Link>{' '}
          <span className="quiet">{attribute}</span>
        </span>
      )),
    },
    { key: 'Last validated', value: date(row.validatedAt) ?? <span className="quiet">never</span> },
    ...(waits
      ? [{ key: 'Code mailed', value: date(row.sentAt) ?? <span className="quiet">not yet</span> }]
      : [{ key: 'Asked again', value: date(row.dueAt) }]),
    ...(row.invalidAt === null ? [] : [{ key: 'Marked invalid', value: <>{date(row.invalidAt)} unless validated</> }]),
    ...(row.restrictedAt === null ? [] : [{ key: 'Restricts the account', value: <>{date(row.restrictedAt)} unless validated</> }]),
    ...(row.wrongCodes === 0 ? [] : [{ key: 'Wrong codes', value: String(row.wrongCodes) }]),
  ];
  return (
    <Sheet
      title={<span className="mono">{row.mailbox}</span>}
      meta={
        <Badge kind={kind} icon={icon}>
          {word}
        </Badge>
      }
      {...(waits && {
        footer: (
          <Row gap={8} wrap>
            <Button size="s" refusal={row.sentAt === null ? { reason: 'No code sent yet' } : null} refusalIn="note" onClick={onEnter}>
              Enter code
            </Button>
            <Button
              size="s"
              icon="mail"
              busy={sending}
              refusal={
                !mayAsk
                  ? { reason: 'Only corporate and technical contacts, and users of a maintainer, can do this' }
                  : row.sentAt === null
                    ? { reason: 'The first code is sent within minutes' }
                    : row.resendsLeft === 0
                      ? { reason: 'Limit of three codes a day reached. Try again tomorrow' }
                      : null
              }
              refusalIn="note"
              onClick={onResend}
            >
              Send a new code
            </Button>
            <LinkButton size="s" variant="quiet" href={hrefOfObject('irt', row.irt)}>
              Change the mailbox
            </LinkButton>
          </Row>
        ),
      })}
    >
      <KeyValueList align="left" items={facts} />
    </Sheet>
  );
}

const wrongWords = {
  wrong: 'This isn’t the latest code. Earlier codes no longer work.',
  wait: 'Five wrong codes. Try again in 15 minutes.',
  none: 'This mailbox doesn’t need a code.',
} as const;

function EnterCode({ mailbox, onClose }: { mailbox: string; onClose: () => void }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const enter = useChange(whoisIrts.enterCode, {
    refresh,
    showsErrors: true,
    onDone: ({ result }) => {
      if (result !== 'validated') return;
      notify({ text: `${mailbox} is validated.` });
      onClose();
    },
  });
  const form = useForm(
    whoisIrts.enterCode.body,
    { code: '', readAndAnswered: false },
    {
      name: 'code',
      toBody: ({ code }) => ({ mailbox, code, readAndAnswered: true }),
      check: ({ code, readAndAnswered }) => ({
        ...(code.trim() === '' && { code: 'Enter the code from the e-mail' }),
        ...(!readAndAnswered && { readAndAnswered: 'Confirm that reports are read and answered' }),
      }),
      change: enter,
      send: body => enter.mutate({ account, body }),
    },
  );
  const result = enter.data?.result;
  const [code, confirmation] = [form.field('code'), form.field('readAndAnswered')];
  const wrong = result && result !== 'validated' && !form.busy ? wrongWords[result] : undefined;
  return (
    <Dialog open onClose={onClose} title="Enter the code">
      <ActForm form={form} act="Validate mailbox" keep="Close" onClose={onClose}>
        <p className="small muted">
          It was mailed to <span className="mono">{mailbox}</span>. It can also be entered without a login, on the page linked in the
          e-mail.
        </p>
        <Field label="Code" {...code} error={code.error ?? wrong}>
          <TextInput mono spellCheck={false} {...form.input('code')} autoComplete="one-time-code" />
        </Field>
        <FieldGroup legend="Confirmation" error={confirmation.error}>
          <Checkbox
            id={confirmation.id}
            checked={form.values.readAndAnswered}
            aria-invalid={confirmation.error ? true : undefined}
            onChange={event => form.set({ readAndAnswered: event.target.checked })}
          >
            Reports to this mailbox are read and answered
          </Checkbox>
        </FieldGroup>
      </ActForm>
    </Dialog>
  );
}
