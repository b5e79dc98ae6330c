import { useAccount, useSteadyAnswer } from '@portal/app-kit';
import { whoisRecords } from '@portal/contract/records/records';
import { Stack } from '@portal/ui';
import { PositionMap } from './PositionMap.tsx';
import { ContributedSection } from './ContributedSection.tsx';
import { Inside } from './Inside.tsx';
import { RecordContacts } from './RecordContacts.tsx';
import { Editors } from './Editors.tsx';
import { Health } from './Health.tsx';
import { RecentChanges } from './RecentChanges.tsx';
import { TimeLine } from './TimeLine.tsx';
import { Registration } from './Registration.tsx';
import { WhoisObjects } from './WhoisObjects.tsx';
import styles from './ResourceRecord.module.css';

/** The health of some numbers, where they lie, who can change them, what is in them, and their history. */
export function RecordBody({ resource, on }: { resource: string; on: string | null }) {
  const account = useAccount().accountName;
  const { answer: record } = useSteadyAnswer(whoisRecords.getRecord, { account, query: { resource, ...(on && { on }) } });
  return (
    <Stack gap={16}>
      <div className={styles.columns}>
        {record.on === null ? (
          <Health record={record} />
        ) : (
          <Stack gap={16}>
            <Registration record={record} />
            <Inside record={record} />
            <WhoisObjects record={record} />
          </Stack>
        )}
        <Stack gap={16}>
          {record.kind !== 'asn' && <PositionMap record={record} kind={record.kind} />}
          {record.on === null ? <Editors record={record} /> : <RecordContacts record={record} />}
          <RecentChanges record={record} />
          {record.sections
            .filter(({ about }) => about === null)
            .map(section => (
              <ContributedSection key={section.id} section={section} />
            ))}
        </Stack>
      </div>
      {record.on === null && <Inside record={record} />}
      <TimeLine key={record.resource} record={record} />
    </Stack>
  );
}
