import { Term } from '@portal/app-kit/words/Term';
import { Page, reading, refusedBy, useKit, useSession } from '@portal/app-kit';
import type { Subject } from '@portal/contract/admission';
import { registryRequests } from '@portal/contract/contacts/registry-requests';
import { pages } from '@portal/contract/pages';
import { Banner, Grid, Icon, type IconName, LinkButton, Sheet, Stack } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useFreshAccounts } from './joining/accounts-again.ts';
import { LinkRequests } from './joining/LinkRequests.tsx';
import styles from './WelcomePage.module.css';

/** The start page of a person without account: what they can do, and in which order. */
export default function WelcomePage() {
  const { person } = useSession();
  return person.staff ? <WelcomeOfStaff /> : <WelcomeOfNewcomer />;
}

function WelcomeOfNewcomer() {
  const { person } = useSession();
  const { environment } = useKit();
  useFreshAccounts();
  return (
    <Page title="Home" heading={`Welcome, ${person.name}`} sub="You aren’t linked to an account yet. Choose one:">
      <Stack gap={16}>
        <LinkRequests />
        <Grid columns={3}>
          <Way title="You have been invited" icon="mail">
            Open the link in the invitation that a corporate contact sent to <span className={styles.address}>{person.email}</span>. If you
            can’t find it, check your spam folder or ask for it to be sent again.
          </Way>
          <Way title="Your organisation is a member" icon="building" href={pages.linkMembership.path} act={pages.linkMembership.title}>
            Ask to be linked to its account. A corporate contact approves your request.
          </Way>
          <Way title="Your organisation isn’t a member yet" icon="plus" href={pages.addAccount.path} act={pages.addAccount.title}>
            Apply for an account to request IPv4, IPv6 and <Term name="asNumber">AS numbers</Term>. The fee calculator shows what it costs.
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
        <Way title="The desk" icon="inbox" href="/desk" act="Open the desk">
          The pages that your roles open: cases, accounts, money, elections.
        </Way>
        {may(pages.holders) && (
          <Way title="Find an account" icon="search" href={pages.holders.path} act={pages.holders.title}>
            Find the holder of a prefix, address or AS number, or an account by name, and view it as its contacts do.
          </Way>
        )}
        {may(pages.contactRequests) && (
          <Way title="Corporate contacts" icon="contacts" href={pages.contactRequests.path} act={pages.contactRequests.title}>
            Members ask to add, change or remove corporate contacts, and you decide.{' '}
            {waiting &&
              ` ${waiting.total === 0 ? 'No open requests.' : waiting.total === 1 ? 'One open request.' : `${waiting.total} open requests.`}`}
          </Way>
        )}
      </Grid>
    </Page>
  );
}

function Way({ title, icon, href, act, children }: { title: string; icon: IconName; href?: string; act?: string; children: ReactNode }) {
  return (
    <Sheet title={title} meta={<Icon name={icon} />}>
      <p className={styles.way}>{children}</p>
      {href && <LinkButton href={href}>{act}</LinkButton>}
    </Sheet>
  );
}
