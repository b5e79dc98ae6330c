import { Page, type PageReads, read, useAccount, useRead } from '@portal/app-kit';
import { organisations } from '@portal/contract/organisations/organisations';
import { pages } from '@portal/contract/pages';
import { Banner, Grid, Stack } from '@portal/ui';
import { AccountEnd } from './AccountEnd.tsx';
import { ChangeHistory } from './ChangeHistory.tsx';
import { DetailPart } from './DetailPart.tsx';
import { partNames } from './organisation-form.ts';
import { RegistryPart } from './RegistryPart.tsx';

const organisationOf = (account: string) => read(organisations.getOrganisation, { account });
export const reads: PageReads = ({ account }) => [organisationOf(account)];

/** The organisation of the account: its details, requests for changes, and closing the account. */
export default function OrganisationPage() {
  const { accountName, accountStatus } = useAccount();
  const organisation = useRead(organisationOf(accountName));
  return (
    <Page
      title={pages.organizationDetails.title}
      sub="You can change addresses, telephone and billing details directly. Changes of name, registration number and type need the registry’s approval."
    >
      <Stack gap={16}>
        {accountStatus === 'suspended' && (
          <Banner kind="warning" title={`${accountName} is suspended.`}>
            You can still change these details.
          </Banner>
        )}
        <RegistryPart organisation={organisation} />
        <Grid columns={2} style={{ alignItems: 'start' }}>
          {partNames.map(part => (
            <DetailPart key={`${accountName} ${part}`} part={part} organisation={organisation} />
          ))}
        </Grid>
        <ChangeHistory />
        <AccountEnd organisation={organisation} />
      </Stack>
    </Page>
  );
}
