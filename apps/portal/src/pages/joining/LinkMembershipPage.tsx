import { Page, useAddress, useChange, useKit, useSession } from '@portal/app-kit';
import { accessRequests } from '@portal/contract/contacts/access-requests';
import { pages } from '@portal/contract/pages';
import { Banner, Button, ButtonRow, Field, FormColumn, Link, LinkButton, Sheet, Stack, TextInput } from '@portal/ui';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useFreshAccounts } from './accounts-again.ts';
import { LinkRequests } from './LinkRequests.tsx';
import styles from './LinkMembershipPage.module.css';
import { readAccountName, refusedWords } from './link-words.ts';

/** Asks the contacts of an account to take the person in. The answer tells nothing about which accounts exist. `?account=` fills in the name. */
export default function LinkMembershipPage() {
  useFreshAccounts();
  return (
    <Page
      title={pages.linkMembership.title}
      sub="Your organisation is a member already: ask to become one of its contacts with this login."
    >
      <FormColumn>
        <Sheet title="Which account">
          <AskToBeLinked />
        </Sheet>
        <LinkRequests />
        <Sheet title="What happens then">
          <ol className={styles.steps}>
            <li>
              The corporate contacts of the account get an e-mail with your name and e-mail address, and a reminder after 7 and 21 days.
            </li>
            <li>
              One of them approves and chooses what you become, a billing or technical contact for example. You get an e-mail, and the
              account stands under <Link href={pages.myAccounts.path}>My accounts</Link>.
            </li>
            <li>Whoever is recorded as a contact with the verified address of this login needs no approval and is linked at once.</li>
            <li>A request that nobody answers ends after 30 days.</li>
          </ol>
        </Sheet>
        <NobodyApproves />
      </FormColumn>
    </Page>
  );
}

function AskToBeLinked() {
  const address = useAddress();
  const { accounts } = useSession();
  const [typed, setTyped] = useState(address.get('account') ?? '');
  const [problem, setProblem] = useState<string | null>(null);
  const [askedFor, setAskedFor] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const outcome = useRef<HTMLDivElement>(null);
  const ask = useChange(accessRequests.linkAccount, {
    refresh: [accessRequests.listLinkRequests],
    showsErrors: true,
    onDone: (_, { body }) => {
      setAskedFor(body.accountName);
      setTyped('');
    },
  });
  useEffect(() => {
    if (askedFor !== null) outcome.current?.focus();
  }, [askedFor]);

  /** What is wrong with the name, or null. The person's own accounts need no request. */
  const check = (text: string): string | null => {
    const { accountName, problem: wrong } = readAccountName(text);
    if (wrong !== undefined) return wrong;
    return accounts.some(account => account.accountName === accountName) ? `You are a contact of ${accountName} already` : null;
  };
  const send = (event: FormEvent) => {
    event.preventDefault();
    const wrong = check(typed);
    setProblem(wrong);
    const { accountName } = readAccountName(typed);
    if (wrong !== null || accountName === undefined) field.current?.focus();
    else if (!ask.isPending) ask.mutate({ body: { accountName } });
  };
  if (askedFor !== null)
    return (
      <div ref={outcome} tabIndex={-1} className={styles.asked}>
        <Banner kind="success" title={`If ${askedFor} exists, its corporate contacts were asked.`}>
          The answer is the same for every name, so that nobody can find out who is a member.
        </Banner>
        <ButtonRow>
          <Button onClick={() => setAskedFor(null)}>Ask for another account</Button>
          <LinkButton variant="quiet" href={pages.myAccounts.path}>
            My accounts
          </LinkButton>
        </ButtonRow>
      </div>
    );
  return (
    <form onSubmit={send} noValidate>
      <Stack gap={16}>
        {ask.error && (
          <Banner kind="error" traceId={ask.error.status === 429 ? null : ask.error.errors[0]?.traceId}>
            {refusedWords(ask.error)}
          </Banner>
        )}
        <Field
          label="Account name"
          help="As it stands on invoices and in mails of the registry, such as EXAMPLE-AU. Five requests within 24 hours are possible."
          error={problem}
        >
          <TextInput
            ref={field}
            mono
            className={styles.name}
            value={typed}
            maxLength={60}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            onChange={event => {
              setTyped(event.target.value);
              if (problem !== null) setProblem(check(event.target.value));
            }}
            onBlur={() => typed.trim() !== '' && setProblem(check(typed))}
          />
        </Field>
        <ButtonRow>
          <Button type="submit" variant="primary" busy={ask.isPending}>
            Ask to be linked
          </Button>
        </ButtonRow>
      </Stack>
    </form>
  );
}

function NobodyApproves() {
  const { registryName, supportUrl } = useKit().environment;
  return (
    <Sheet title="When nobody can approve">
      <Stack gap={8} className={styles.words}>
        <p>
          When all corporate contacts of the account have left your organisation, nobody reads the request. {registryName} then appoints a
          new corporate contact.
        </p>
        <p>
          It needs a letter on the organisation's paper that names the account and the new corporate contact and is signed by somebody who
          may sign for the organisation, with an extract of the company register. Send both to <Link href={supportUrl}>Support</Link>.
        </p>
      </Stack>
    </Sheet>
  );
}
