import { Page, useAddress, useAnswer } from '@portal/app-kit';
import { later } from '@portal/app-kit/page/later';
import { type MailTextLine, mailTexts } from '@portal/contract/mail/mail-texts';
import { pages } from '@portal/contract/pages';
import { FilterSelect } from '@portal/ui/table/FilterSelect';
import { Badge, DateText, EmptyState, formatCount, Link, Row, SearchInput, Segmented, Sheet, Stack } from '@portal/ui';
import { Line, LineList } from '../shell/LineList.tsx';
import styles from './MailTexts.module.css';
import { groupsOf, hrefOf, isFound } from './mail-text-words.ts';

const MailTextView = later(() => import('./MailTextView.tsx'), 'MailTextView');

/** /desk/mail-texts: every kind of mail that the portal sends; with `mail` in the address, its text, words and versions. */
export default function MailTextsPage() {
  const kind = useAddress().get('mail');
  return kind === null ? <All /> : <MailTextView kind={kind} key={kind} />;
}

function All() {
  const { texts } = useAnswer(mailTexts.listMailTexts, {});
  const address = useAddress();
  const words = address.get('find') ?? '';
  const only = address.oneOf('only', ['all', 'changed']);
  const topics = [...new Set(texts.map(({ topic }) => topic))].toSorted((a, b) => a.localeCompare(b));
  const asked = address.get('topic') ?? '';
  const topic = topics.includes(asked) ? asked : '';
  const found = texts.filter(text => isFound(text, words) && (topic === '' || text.topic === topic) && (only === 'all' || text.isChanged));
  const changed = texts.filter(({ isChanged }) => isChanged).length;
  return (
    <Page
      title={pages.deskMailTexts.title}
      sub={`The text of each of the ${formatCount(texts.length)} kinds of mail that the portal sends, by who receives it.`}
    >
      <Stack gap={16}>
        <Row wrap gap={12}>
          <SearchInput
            label="Find a mail"
            placeholder="Subject, topic or key"
            value={words}
            onChange={value => address.set({ find: value || null })}
          />
          <FilterSelect
            label="Topic"
            value={topic}
            options={[{ value: '', label: 'All topics' }, ...topics.map(each => ({ value: each, label: each }))]}
            onChange={value => address.set({ topic: value || null })}
          />
          <Segmented
            label="Show"
            value={only}
            options={[
              { value: 'all', label: `All ${formatCount(texts.length)}` },
              { value: 'changed', label: `Changed ${formatCount(changed)}` },
            ]}
            onChange={value => address.set({ only: value === 'all' ? null : value })}
          />
        </Row>
        {found.length === 0 && (
          <Sheet>
            {words === '' && topic === '' ? (
              <EmptyState title="No changed texts yet" picture={false}>
                All mails use the standard texts. Open one to change its text.
              </EmptyState>
            ) : (
              <EmptyState title={words === '' ? `No mail about ${topic} is changed` : `No mail matches “${words}”`} picture={false}>
                {words === ''
                  ? 'Choose All to see those that use the standard text.'
                  : 'Search all topics for a word of the subject, a topic or a key, such as invoice.'}
              </EmptyState>
            )}
          </Sheet>
        )}
        {groupsOf(found).map(({ topic: title, receivers, lines }) => (
          <Sheet key={title} flush title={title} meta={`“You get this e-mail because ${receivers}.”`}>
            <LineList columns="minmax(0, 1fr) auto 130px">
              {lines.map(line => (
                <TextLine key={line.kind} line={line} />
              ))}
            </LineList>
          </Sheet>
        ))}
      </Stack>
    </Page>
  );
}

function TextLine({ line }: { line: MailTextLine }) {
  const { kind, subject, begins, isChanged, programChanged, isUnfit, needsSecondPerson, lastSentAt, sent } = line;
  return (
    <Line
      name={
        <>
          <Link href={hrefOf(kind)}>
            <bdi>{subject}</bdi>
          </Link>
          <p>
            <bdi>{begins}</bdi>
          </p>
          <p className="quiet small">{kind}</p>
        </>
      }
      marks={
        <>
          {isChanged && <Badge kind="line">Changed</Badge>}
          {isUnfit ? <Badge kind="invalid">Not in use</Badge> : programChanged && <Badge kind="warning">Standard text changed since</Badge>}
          {needsSecondPerson && <Badge>Needs a second person</Badge>}
        </>
      }
      aside={
        lastSentAt === null ? (
          <span className="quiet">Not sent yet</span>
        ) : (
          <>
            <DateText value={lastSentAt} shape="date" />
            <span className={`quiet ${styles.sent}`}>{formatCount(sent)} in 30 days</span>
          </>
        )
      }
    />
  );
}
