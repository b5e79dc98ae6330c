import { Term } from '@portal/app-kit/words/Term';
import { Page, reading, refusedBy, useKit, useSession } from '@portal/app-kit';
import type { Subject } from '@portal/contract/admission';
import { registryRequests } from '@portal/contract/contacts/registry-requests';
import { pages } from '@portal/contract/pages';
import { Banner, Button, ButtonRow, Grid, Icon, type IconName, Link, LinkButton, Sheet, Stack } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useFreshAccounts } from './joining/accounts-again.ts';
import { LinkRequests } from './joining/LinkRequests.tsx';
import { OwnInvitations, useOwnInvitations } from './joining/OwnInvitations.tsx';
import styles from './WelcomePage.module.css';

/** The start page of a person without account: what they can do, and in which order. */
export default function WelcomePage() {
  const { person } = useSession();
  return person.staff ? <WelcomeOfStaff /> : <WelcomeOfNewcomer />;
}

function WelcomeOfNewcomer() {
  const { person } = useSession();
  const { environment, notify } = useKit();
  useFreshAccounts();
  const { data: invited, isFetching, refetch } = useOwnInvitations();
  const lookAgain = async () => {
    const { data } = await refetch();
    if (data?.length === 0) notify({ text: `No open invitation to ${person.email} yet.` });
  };
  return (
    <Page title="Home" heading={`Welcome, ${person.name}`} sub="You aren’t linked to an account yet. Choose one:">
      <Stack gap={16}>
        <OwnInvitations />
        <LinkRequests />
        <Grid columns={invited?.length ? 2 : 3}>
          {!invited?.length && (
            <Way
              title="You have been invited"
              icon="mail"
              act={
                <Button busy={isFetching} onClick={() => void lookAgain()}>
                  Check for invitations
                </Button>
              }
            >
              Invitations to <span className={styles.address}>{person.email}</span> appear here to accept. If yours went to another address,
              open the link in that e-mail or ask the corporate contact to invite this one.
            </Way>
          )}
          <Way
            title="Your organisation is a member"
            icon="building"
            act={<LinkButton href={pages.linkMembership.path}>{pages.linkMembership.title}</LinkButton>}
          >
            Ask to be linked to its account. A corporate contact approves your request.
          </Way>
          <Way
            title="Your organisation isn’t a member yet"
            icon="plus"
            act={
              <ButtonRow>
                <LinkButton href={pages.addAccount.path}>{pages.addAccount.title}</LinkButton>
                <Link className="small" href={pages.annualFeeCalculator.path}>
                  See what it costs
                </Link>
              </ButtonRow>
            }
          >
            Apply for an account to request IPv4, IPv6 and <Term name="asNumber">AS numbers</Term>.
          </Way>
        </Grid>
        {!person.mfa && (
          <Banner
            kind="info"
            title="Your login is protected by a password only."
            actions={
              <LinkButton size="s" href={environment.profileUrl}>
                Turn on two-factor
              </LinkButton>
            }
          >
            Contacts, routes, certificates and voting need two-factor.
          </Banner>
        )}
      </Stack>
    </Page>
  );
}

function WelcomeOfStaff() {
  const session = useSession();
  const { person } = session;
  const { call } = useKit();
  const may = (subject: Subject) => refusedBy(subject, session) === null;
  // Without a second factor the read would redirect to a step-up.
  const { data: waiting } = useQuery({
    ...reading(call, registryRequests.listRegistryRequests, { query: { limit: 1 } }),
    enabled: person.mfa && may(registryRequests.listRegistryRequests),
  });
  return (
    <Page title="Home" heading={`Welcome, ${person.name}`} sub="Registry staff. You aren’t linked to an account.">
      <Grid columns={3}>
        <Way title="The desk" icon="inbox" act={<LinkButton href="/desk">Open the desk</LinkButton>}>
          The pages that your roles open: cases, accounts, money, elections.
        </Way>
        {may(pages.holders) && (
          <Way title="Find an account" icon="search" act={<LinkButton href={pages.holders.path}>{pages.holders.title}</LinkButton>}>
            Find the holder of a prefix, address or AS number, or an account by name, and view it as its contacts do.
          </Way>
        )}
        {may(pages.contactRequests) && (
          <Way
            title="Corporate contacts"
            icon="contacts"
            act={<LinkButton href={pages.contactRequests.path}>{pages.contactRequests.title}</LinkButton>}
          >
            Members ask to add, change or remove corporate contacts, and you decide.{' '}
            {waiting &&
              ` ${waiting.total === 0 ? 'No open requests.' : waiting.total === 1 ? 'One open request.' : `${waiting.total} open requests.`}`}
          </Way>
        )}
      </Grid>
    </Page>
  );
}

function Way({ title, icon, act, children }: { title: string; icon: IconName; act: ReactNode; children: ReactNode }) {
  return (
    <Sheet title={title} meta={<Icon name={icon} />}>
      <p className={styles.way}>{children}</p>
      {act}
    </Sheet>
  );
}
