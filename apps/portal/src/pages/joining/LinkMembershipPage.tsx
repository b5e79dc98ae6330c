import { Page, useAddress, useChange, useKit, useSession } from '@portal/app-kit';
import { Form, FormProblems } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { accessRequests } from '@portal/contract/contacts/access-requests';
import { pages } from '@portal/contract/pages';
import { Banner, Button, ButtonRow, Field, FormColumn, Link, LinkButton, Sheet, Stack, TextInput } from '@portal/ui';
import { useEffect, useRef, useState } from 'react';
import { useFreshAccounts } from './accounts-again.ts';
import { LinkRequests } from './LinkRequests.tsx';
import styles from './LinkMembershipPage.module.css';
import { refusedWords } from './link-words.ts';

/** Asks the contacts of an account to add the person. The answer reveals nothing about which accounts exist. `?account=` fills in the name. */
export default function LinkMembershipPage() {
  useFreshAccounts();
  return (
    <Page title={pages.linkMembership.title} sub="Your organisation is already a member. Ask to become one of its contacts.">
      <FormColumn>
        <Sheet title="Which account">
          <AskToBeLinked />
        </Sheet>
        <LinkRequests />
        <Sheet title="Next steps">
          <ol className={styles.steps}>
            <li>
              The corporate contacts of the account get an e-mail with your name and e-mail address, and a reminder after 7 and 21 days.
            </li>
            <li>
              One of them approves and chooses your contact type, such as billing or technical. You get an e-mail, and the account appears
              under <Link href={pages.myAccounts.path}>My accounts</Link>.
            </li>
            <li>If your verified address is already recorded as a contact, you’re linked immediately.</li>
            <li>Unanswered requests expire after 30 days.</li>
          </ol>
        </Sheet>
        <NobodyApproves />
      </FormColumn>
    </Page>
  );
}

function AskToBeLinked() {
  const address = useAddress();
  const [given, setGiven] = useState(address.get('account') ?? '');
  const [askedFor, setAskedFor] = useState<string | null>(null);
  const outcome = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (askedFor !== null) outcome.current?.focus();
  }, [askedFor]);
  if (askedFor === null)
    return (
      <AskForm
        given={given}
        onAsked={accountName => {
          setAskedFor(accountName);
          setGiven('');
        }}
      />
    );
  return (
    <div ref={outcome} tabIndex={-1} className={styles.asked}>
      <Banner kind="success" title={`If ${askedFor} exists, its corporate contacts got your request.`}>
        We show this for every name, so that it doesn’t reveal who is a member.
      </Banner>
      <ButtonRow>
        <Button onClick={() => setAskedFor(null)}>Ask for another account</Button>
        <LinkButton variant="quiet" href={pages.myAccounts.path}>
          My accounts
        </LinkButton>
      </ButtonRow>
    </div>
  );
}

/** Names copied from mails and documents: full-width letters are normalised. */
const plainName = (typed: string): string => typed.normalize('NFKC').trim();

function AskForm({ given, onAsked }: { given: string; onAsked: (accountName: string) => void }) {
  const { accounts } = useSession();
  const ask = useChange(accessRequests.linkAccount, {
    refresh: [accessRequests.listLinkRequests],
    showsErrors: true,
    onDone: (_, { body }) => onAsked(body.accountName),
  });
  const form = useForm(
    accessRequests.linkAccount.body,
    { accountName: given },
    {
      name: 'link',
      toBody: values => ({ accountName: plainName(values.accountName) }),
      ifEmpty: { accountName: 'Enter the account name' },
      // The person's own accounts need no request.
      check(values) {
        const name = plainName(values.accountName).toUpperCase();
        return accounts.some(({ accountName }) => accountName === name) ? { accountName: `You’re already a contact of ${name}` } : {};
      },
      shownElsewhere: ['TOO_MANY_REQUESTS'],
      change: ask,
      send: body => ask.mutate({ body }),
    },
  );
  return (
    <Form form={form} bare>
      <Stack gap={16}>
        <FormProblems form={form} />
        {ask.error?.code === 'TOO_MANY_REQUESTS' && <Banner kind="error">{refusedWords(ask.error)}</Banner>}
        <Field
          label="Account name"
          help="As shown on invoices and e-mails from the registry, such as EXAMPLE-AU. You can send five requests in 24 hours."
          {...form.field('accountName')}
        >
          <TextInput
            mono
            className={styles.name}
            {...form.input('accountName')}
            maxLength={60}
            autoCapitalize="characters"
            spellCheck={false}
          />
        </Field>
        <ButtonRow>
          <Button type="submit" variant="primary" busy={form.busy}>
            Ask to be linked
          </Button>
        </ButtonRow>
      </Stack>
    </Form>
  );
}

function NobodyApproves() {
  const { registryName, supportUrl } = useKit().environment;
  return (
    <Sheet title="If no one can approve">
      <Stack gap={8} className={styles.words}>
        <p>If all corporate contacts have left your organisation, {registryName} can appoint a new one.</p>
        <p>
          We need a signed letter on the organisation’s letterhead that names the account and the new corporate contact, and an extract from
          the company register. Send both to <Link href={supportUrl}>Support</Link>.
        </p>
      </Stack>
    </Sheet>
  );
}
