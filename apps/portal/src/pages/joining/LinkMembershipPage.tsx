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
}

/** Names as they are copied out of mails and documents: full-width letters are letters. */
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
      ifEmpty: { accountName: 'Write the name of the account' },
      // The person's own accounts need no request.
      check(values) {
        const name = plainName(values.accountName).toUpperCase();
        return accounts.some(({ accountName }) => accountName === name) ? { accountName: `You are a contact of ${name} already` } : {};
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
          help="As it stands on invoices and in mails of the registry, such as EXAMPLE-AU. Five requests within 24 hours are possible."
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
