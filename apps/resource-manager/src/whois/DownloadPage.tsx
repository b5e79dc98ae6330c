import { Page, useAccount, useAnswer, useDownload } from '@portal/app-kit';
import { whois, whoisClasses, type WhoisClass } from '@portal/contract/whois';
import { downloadFormats, whoisDownload } from '@portal/contract/whois-download';
import { whoisExport } from '@portal/contract/whois-export';
import { Button, Chip, EmptyState, Field, formatCount, FormColumn, LinkButton, Row, Segmented, Select, Sheet } from '@portal/ui';
import { useState } from 'react';
import { AccountNote } from '../shell/AccountNote.tsx';
import styles from './BulkUpdatesPage.module.css';

const formats = [...downloadFormats, 'csv'] as const;
const formatWords = { rpsl: 'Text (RPSL)', json: 'JSON', csv: 'CSV' } as const;

/** /resources/download: whois objects of the account in one file. */
export default function DownloadPage() {
  const { accountName: account } = useAccount();
  const { classes: counts } = useAnswer(whois.listObjects, { account, query: { limit: 1 } });
  const { rows: maintainers } = useAnswer(whois.listMaintainers, { account });
  const [chosen, setChosen] = useState<readonly WhoisClass[]>([]);
  const [maintainer, setMaintainer] = useState('');
  const [format, setFormat] = useState<(typeof formats)[number]>('rpsl');
  const [isBusy, setBusy] = useState(false);
  const saveWhole = useDownload(whoisDownload.downloadObjects);
  const saveTable = useDownload(whoisExport.exportObjects);
  const has = counts.filter(({ objects }) => objects > 0);
  const objects = has
    .filter(({ class: name }) => chosen.length === 0 || chosen.some(each => each === name))
    .reduce((sum, each) => sum + each.objects, 0);
  const by = maintainer === '' ? {} : { maintainer };
  const [only] = chosen;
  const save = async () => {
    setBusy(true);
    if (format === 'csv') await saveTable({ account, query: { format, ...(only && { class: only }), ...by } });
    else await saveWhole({ account, query: { format, classes: chosen.join(','), ...by } });
    setBusy(false);
  };
  return (
    <Page
      title="Bulk download"
      sub="Your whois objects in one file, whole and as they are stored now. What opens a maintainer is never in it."
    >
      <AccountNote />
      <Sheet
        aria-label="What is downloaded"
        footer={
          has.length > 0 && (
            <Button
              variant="primary"
              icon="download"
              busy={isBusy}
              refusal={format === 'csv' && chosen.length > 1 ? { reason: 'CSV takes one class, or all' } : null}
              onClick={() => void save()}
            >
              Download {maintainer === '' ? `${formatCount(objects)} ${objects === 1 ? 'object' : 'objects'}` : 'objects'}
            </Button>
          )
        }
      >
        {has.length === 0 ? (
          <EmptyState title="No whois objects yet" action={<LinkButton href="/resources/maintainer">Set up a maintainer</LinkButton>}>
            Objects your maintainers maintain can be downloaded here, and those the registry keeps for your delegations.
          </EmptyState>
        ) : (
          <FormColumn>
            <fieldset className={styles.classes}>
              <legend className="small strong">Classes; none chosen: all</legend>
              <Row gap={6} wrap>
                {whoisClasses.flatMap(name => {
                  const found = has.find(each => each.class === name);
                  return found
                    ? [
                        <Chip
                          key={name}
                          pressed={chosen.includes(name)}
                          value={formatCount(found.objects)}
                          onClick={() => setChosen(chosen.includes(name) ? chosen.filter(each => each !== name) : [...chosen, name])}
                        >
                          {name}
                        </Chip>,
                      ]
                    : [];
                })}
              </Row>
            </fieldset>
            <Field label="Maintainer" optional>
              <Select
                value={maintainer}
                onChange={event => setMaintainer(event.target.value)}
                options={[
                  { value: '', label: 'Any maintainer' },
                  ...maintainers.map(each => ({ value: each.maintainer, label: each.maintainer })),
                ]}
              />
            </Field>
            <div>
              <Segmented
                label="Format"
                options={formats.map(value => ({ value, label: formatWords[value] }))}
                value={format}
                onChange={setFormat}
              />
            </div>
            <p className="small muted">
              {format === 'csv'
                ? 'A table of keys, names and maintainers, without the rest of the objects.'
                : format === 'json'
                  ? 'Every object with its attributes in order.'
                  : 'Text that can be changed and put in again under Text upload.'}
            </p>
          </FormColumn>
        )}
      </Sheet>
    </Page>
  );
}
