import { Page, read, useAddress, useAnswer } from '@portal/app-kit';
import { later } from '@portal/app-kit/page/later';
import { legal, type LegalText } from '@portal/contract/legal/legal';
import { pages } from '@portal/contract/pages';
import { Badge, DateText, EmptyState, Link, LinkButton, Sheet } from '@portal/ui';
import { Line, LineList } from '../shell/LineList.tsx';
import { useMay } from '../shell/use-may.ts';
import { askedInWords, hrefOf, progressInWords } from './legal-words.ts';

const LegalTextView = later(() => import('./LegalTextView.tsx'), 'LegalTextView');
const NewText = later(() => import('./LegalDraftForm.tsx'), 'NewText');

/** /desk/legal: legal texts with their versions; with `text` in the address one of them, with `write` the form of a new one. */
export default function LegalPage() {
  const address = useAddress();
  const may = useMay();
  const text = address.get('text');
  if (text !== null) return <LegalTextView key={text} text={text} />;
  return address.get('write') !== null && may(legal.startLegalText) ? <NewText /> : <All />;
}

/** The first read of the page. */
export const reads = [read(legal.listLegalTexts, {})];

function All() {
  const may = useMay();
  const { texts } = useAnswer(legal.listLegalTexts, {});
  return (
    <Page
      title={pages.deskLegal.title}
      sub={
        <>
          Terms, agreements and notices with their versions, and who accepted them. Everyone reads them at <Link href="/legal">/legal</Link>
          .
        </>
      }
      actions={
        may(legal.startLegalText) && (
          <LinkButton variant="primary" icon="plus" href={`${pages.deskLegal.path}?write=new`}>
            New text
          </LinkButton>
        )
      }
    >
      <Sheet flush={texts.length > 0}>
        {texts.length === 0 ? (
          <EmptyState title="No legal texts yet" picture={false}>
            Write the terms of service first. A second person confirms each version, and old ones stay readable.
          </EmptyState>
        ) : (
          <LineList label="Legal texts" columns="minmax(0, 1.4fr) minmax(0, 1fr) minmax(0, 180px)">
            {texts.map(text => (
              <TextLine key={text.text} text={text} />
            ))}
          </LineList>
        )}
      </Sheet>
    </Page>
  );
}

function TextLine({ text }: { text: LegalText }) {
  const { title, inForce, coming, draft } = text;
  const shown = inForce ?? coming ?? draft;
  const progress = progressInWords(text);
  return (
    <Line
      name={
        <>
          <Link href={hrefOf(text.text)}>
            <bdi>{title}</bdi>
          </Link>
          {shown && <p className="quiet small">{askedInWords(shown)}</p>}
        </>
      }
      marks={
        <>
          {inForce && <Badge kind="valid">Version {inForce.version} in force</Badge>}
          {coming && (
            <Badge kind="line">
              Version {coming.version} from <DateText value={coming.validFrom} shape="date" />
            </Badge>
          )}
          {draft && <Badge>Draft</Badge>}
        </>
      }
      aside={
        progress === '' ? (
          <span className="quiet">{inForce ? 'Published only' : 'Not in force yet'}</span>
        ) : (
          <>
            {progress} <span className="quiet">accepted</span>
          </>
        )
      }
    />
  );
}
