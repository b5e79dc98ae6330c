import { FailureBanner, Page, useChange, useDownload, useSteadyAnswer } from '@portal/app-kit';
import { saveTextFile } from '@portal/app-kit/documents/save-text-file';
import { campaigns } from '@portal/contract/data-quality/campaigns';
import { dataQuality } from '@portal/contract/data-quality/data-quality';
import { type FindingKey, findings, type personalFindings } from '@portal/contract/data-quality/findings';
import { pages } from '@portal/contract/pages';
import { Breadcrumb, Button, LinkButton, Sheet, Stack } from '@portal/ui';
import { useState } from 'react';
import { useMay } from '../shell/use-may.ts';
import { CampaignList } from './CampaignList.tsx';
import { FindingRows, useRowFilters } from './FindingRows.tsx';

type PersonalFinding = (typeof personalFindings)[number];
const isPersonal = (finding: FindingKey): finding is PersonalFinding => findings[finding].personal;

/** One finding: the campaigns about it, and its rows. */
export function FindingView({ finding }: { finding: FindingKey }) {
  const may = useMay();
  const { title, words } = findings[finding];
  return (
    <Page
      title={title}
      sub={words}
      breadcrumb={<Breadcrumb items={[{ label: pages.deskDataQuality.title, href: pages.deskDataQuality.path }, { label: title }]} />}
      actions={
        may(campaigns.sendCampaign) && (
          <LinkButton variant="primary" icon="mail" href={`${pages.deskDataQuality.path}?finding=${finding}&act=campaign`}>
            New campaign
          </LinkButton>
        )
      }
    >
      <Stack gap={16}>
        <CampaignList finding={finding} />
        {!isPersonal(finding) ? (
          <PlainRows finding={finding} />
        ) : may(dataQuality.listPersonalFinding) ? (
          <PersonalRows finding={finding} />
        ) : (
          <Sheet title="Contacts">
            <p className="quiet">
              Names and addresses are shown to staff with “Read private data”. A campaign reaches these contacts without showing them.
            </p>
          </Sheet>
        )}
      </Stack>
    </Page>
  );
}

function PlainRows({ finding }: { finding: Exclude<FindingKey, PersonalFinding> }) {
  const filters = useRowFilters();
  const save = useDownload(dataQuality.exportFinding);
  const { answer, stale } = useSteadyAnswer(dataQuality.listFinding, { finding, query: { ...filters.query, ...filters.page } });
  return (
    <FindingRows
      finding={finding}
      list={answer}
      stale={stale}
      filters={filters}
      onExport={() => void save({ finding, query: filters.query })}
    />
  );
}

/** Rows of people are read with a press: each look is logged. */
function PersonalRows({ finding }: { finding: PersonalFinding }) {
  const filters = useRowFilters();
  const [asked, setAsked] = useState('');
  const look = useChange(dataQuality.listPersonalFinding, { showsErrors: true });
  const save = useChange(dataQuality.exportPersonalFinding, { onDone: ({ fileName, csv }) => saveTextFile(fileName, csv) });
  const body = { finding, ...filters.query, ...filters.page };
  const wanted = JSON.stringify(body);
  const show = () => {
    setAsked(wanted);
    look.mutate({ body });
  };
  if (!look.data)
    return (
      <Sheet title="Contacts">
        <Stack gap={12}>
          <p className="quiet">Each look at these contacts and each export is logged as access to personal data.</p>
          <FailureBanner failure={look.error} />
          <div>
            <Button busy={look.isPending} onClick={show}>
              Show the contacts
            </Button>
          </div>
        </Stack>
      </Sheet>
    );
  return (
    <>
      <FailureBanner failure={look.error} />
      <FindingRows
        finding={finding}
        list={look.data}
        stale={look.isPending || asked !== wanted}
        filters={filters}
        onExport={() => save.mutate({ body: { finding, ...filters.query } })}
        more={
          asked !== wanted && (
            <Button size="s" variant="primary" busy={look.isPending} onClick={show}>
              Show these
            </Button>
          )
        }
      />
    </>
  );
}
