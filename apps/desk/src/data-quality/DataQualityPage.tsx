import { Page, useAddress, useAnswer } from '@portal/app-kit';
import { later } from '@portal/app-kit/page/later';
import { dataQuality, type FindingCard } from '@portal/contract/data-quality/data-quality';
import { findingKeys, findings } from '@portal/contract/data-quality/findings';
import { pages } from '@portal/contract/pages';
import { DateText, formatCount, Link, Sheet } from '@portal/ui';
import styles from './DataQuality.module.css';
import { countInWords, shareOf, trendOf } from './quality-words.ts';

const FindingView = later(() => import('./FindingView.tsx'), 'FindingView');
const CampaignForm = later(() => import('./CampaignForm.tsx'), 'CampaignForm');

/** /desk/data-quality: what is wrong in the data of all accounts; with `finding` in the address, its rows and campaigns. */
export default function DataQualityPage() {
  const address = useAddress();
  const finding = findingKeys.find(key => key === address.get('finding'));
  if (finding === undefined) return <Findings />;
  return address.get('act') === 'campaign' ? (
    <CampaignForm finding={finding} key={finding} />
  ) : (
    <FindingView finding={finding} key={finding} />
  );
}

function Findings() {
  const { findings: cards, accounts, keptAt } = useAnswer(dataQuality.getDataQuality, {});
  const found = cards.filter(({ rows }) => rows !== 0);
  const clean = cards.filter(({ rows }) => rows === 0);
  return (
    <Page
      title={pages.deskDataQuality.title}
      sub={`What needs to be put right in ${formatCount(accounts)} accounts, and the e-mails that ask for it.`}
    >
      <Sheet
        flush
        title="Findings"
        meta={
          keptAt === null ? (
            'Whois and customer records are checked every hour'
          ) : (
            <>
              Counted now; whois and customer records as of <DateText value={keptAt} />
            </>
          )
        }
      >
        <ul className={styles.findings}>
          {[...found, ...clean].map(card => (
            <Finding key={card.finding} card={card} all={accounts} />
          ))}
        </ul>
      </Sheet>
    </Page>
  );
}

function Finding({ card, all }: { card: FindingCard; all: number }) {
  const { finding, rows, accounts, campaign } = card;
  const { title, words } = findings[finding];
  const trend = trendOf(card);
  return (
    <li className={styles.finding}>
      <div className={styles.name}>
        <Link href={`${pages.deskDataQuality.path}?finding=${finding}`}>{title}</Link>
        <p className="quiet small">{words}</p>
      </div>
      <p className={styles.count}>
        {rows === null ? (
          <span className="quiet">Not counted yet</span>
        ) : rows === 0 ? (
          <span className="quiet">None found</span>
        ) : (
          <>
            <b>{formatCount(rows)}</b> <span className="quiet">{countInWords(finding, rows).replace(/^\S+ /, '')}</span>
          </>
        )}
      </p>
      <div className={styles.share}>
        {accounts !== null && accounts > 0 && (
          <>
            <i aria-hidden="true">
              <i style={{ inlineSize: `${Math.min(100, (accounts / Math.max(1, all)) * 100)}%` }} />
            </i>
            <span>
              {formatCount(accounts)} {accounts === 1 ? 'account' : 'accounts'}, {shareOf(accounts, all)}
            </span>
          </>
        )}
      </div>
      <p className={styles.trend} data-way={trend?.way}>
        {trend && (
          <>
            {trend.words} <DateText value={trend.on} shape="date" />
          </>
        )}
      </p>
      <p className={styles.campaign}>
        {campaign === null ? (
          <span className="quiet">No campaign yet</span>
        ) : (
          <>
            Campaign <DateText value={campaign.startedAt} shape="date" />
            <span className="quiet">
              {formatCount(campaign.people)} {campaign.people === 1 ? 'person' : 'people'}
              {campaign.cured !== null && `, ${formatCount(campaign.cured)} put it right`}
            </span>
          </>
        )}
      </p>
    </li>
  );
}
