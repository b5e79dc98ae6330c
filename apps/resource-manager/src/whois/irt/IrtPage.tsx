import { Term } from '@portal/app-kit/words/Term';
import { Page, read, useAccount, useAnswer } from '@portal/app-kit';
import { whois, type WhoisIrt } from '@portal/contract/whois/whois';
import { spacedKey } from '@portal/contract/whois/spaced-key';
import { Badge, DateText, EmptyState, formatCount, KeyValueList, Link, LinkButton, Row, Sheet, SkeletonRows, Stack } from '@portal/ui';
import { AccountNote } from '../../shell/AccountNote.tsx';
import { FirstRead } from '../../shell/FirstRead.tsx';
import styles from './IrtPage.module.css';
import { hrefOfExistingIrt, hrefOfNewIrt, hrefOfValidation, irtStateMarks } from './irt-words.ts';
import { hrefOfObject } from '../text/object-address.ts';

/** /resources/irt: who receives abuse reports, whether those mailboxes are validated, and which resources have no irt of their own. */
export default function IrtPage() {
  const account = useAccount().accountName;
  return (
    <Page
      title="IRT objects"
      sub={
        <>
          Who receives abuse reports for your networks. Every network and AS number has an <Term name="irt">IRT</Term>.
        </>
      }
      actions={
        <Row gap={8} wrap>
          <LinkButton href={hrefOfNewIrt} variant="primary" icon="plus">
            New IRT
          </LinkButton>
          <LinkButton href={hrefOfExistingIrt()}>Use an existing IRT</LinkButton>
        </Row>
      }
    >
      <AccountNote />
      <FirstRead
        reads={[read(whois.listIrts, { account })]}
        fallback={
          <Sheet flush aria-label="IRT objects">
            <SkeletonRows rows={4} label="Loading IRT objects" />
          </Sheet>
        }
      >
        <Irts />
      </FirstRead>
    </Page>
  );
}

function Irts() {
  const { accountName: account } = useAccount();
  const { rows, without, withoutTotal } = useAnswer(whois.listIrts, { account });
  return (
    <Stack gap={16}>
      {rows.length === 0 && (
        <Sheet aria-label="IRT objects">
          <EmptyState title="No IRT objects yet" action={<LinkButton href={hrefOfNewIrt}>Make one</LinkButton>}>
            IRT objects you maintain, and those your resources use, appear here.
          </EmptyState>
        </Sheet>
      )}
      {rows.map(row => (
        <Irt key={row.irt} row={row} />
      ))}
      {withoutTotal > 0 && (
        <Sheet
          title="Without their own IRT"
          meta={`${formatCount(withoutTotal)} ${withoutTotal === 1 ? 'resource' : 'resources'}`}
          actions={
            <LinkButton size="s" href={hrefOfExistingIrt()}>
              Set an IRT
            </LinkButton>
          }
        >
          <p className="small muted">Reports about these go to the registry or another holder.</p>
          <ul className={styles.resources} aria-label="Resources without their own IRT">
            {without.map(({ class: name, key, shown }) => (
              <li key={`${name} ${key}`}>
                <Link href={hrefOfObject(name, shown)}>
                  <span className="mono">
                    {name} {spacedKey(shown)}
                  </span>
                </Link>
              </li>
            ))}
            {withoutTotal > without.length && <li className="quiet">and {formatCount(withoutTotal - without.length)} more</li>}
          </ul>
        </Sheet>
      )}
    </Stack>
  );
}

function Irt({ row: { irt, mine, mailboxes, usedBy } }: { row: WhoisIrt }) {
  const of = (attribute: 'e-mail' | 'abuse-mailbox') =>
    mailboxes
      .filter(each => each.attribute === attribute)
      .map(({ mailbox, state, validatedAt }) => {
        const { word, kind, icon } = irtStateMarks[state];
        return (
          <div key={mailbox} className={styles.mailbox}>
            <span className="mono">{mailbox}</span>
            <Badge kind={kind} icon={icon}>
              {word}
            </Badge>
            {validatedAt !== null && (
              <span className="small quiet">
                validated <DateText value={validatedAt} shape="date" />
              </span>
            )}
          </div>
        );
      });
  return (
    <Sheet
      title={<span className="mono">{irt}</span>}
      meta={
        !mine && (
          <Badge kind="neutral" icon="lock">
            Another holder’s
          </Badge>
        )
      }
      footer={
        <Row gap={8} wrap>
          <LinkButton size="s" href={hrefOfObject('irt', irt)}>
            {mine ? 'Open and edit' : 'Open object'}
          </LinkButton>
          {mine && (
            <LinkButton size="s" href={hrefOfExistingIrt(irt)}>
              Set on resources
            </LinkButton>
          )}
          {mine && mailboxes.some(({ state }) => state !== 'valid') && (
            <LinkButton size="s" variant="quiet" href={hrefOfValidation}>
              Validate
            </LinkButton>
          )}
        </Row>
      }
    >
      <KeyValueList
        align="left"
        items={[
          { key: 'Abuse is reported to', value: of('abuse-mailbox') },
          { key: 'E-mail', value: of('e-mail') },
          {
            key: 'Named by',
            value:
              usedBy.length === 0 ? (
                <span className="quiet">no resources of this account</span>
              ) : (
                usedBy.map(each => `${each.class} ${formatCount(each.objects)}`).join(', ')
              ),
          },
        ]}
      />
    </Sheet>
  );
}
