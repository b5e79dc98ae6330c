import { quote } from '../problem.ts';
import { right, type Syntax, wrong } from './reading.ts';

/** ISO 3166-1 alpha-2, and what registries add: AP and EU for regions, ZZ for unknown. */
const countryCodes = codes(
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW AP EU ZZ',
);

/** Returns whether a code is one of ISO 3166 that whois shows; ZZ stands for none. */
export const isCountryCode = (value: string): boolean => countryCodes.has(value.toUpperCase());

/** ISO 639-1. */
const languageCodes = codes(
  'aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu',
);

export const readCountry: Syntax = value =>
  isCountryCode(value)
    ? right(value.toUpperCase())
    : wrong('not-a-country', `${quote(value)} is not a country code. Enter the two letters of ISO 3166, such as AU, or ZZ when unknown`);

export const readLanguage: Syntax = value =>
  languageCodes.has(value.toLowerCase())
    ? right(value.toLowerCase())
    : wrong('not-a-language', `${quote(value)} is not a language code. Enter the two letters of ISO 639-1, such as en`);

/** `-27.47 153.02`: latitude -90 to 90, blank, longitude -180 to 180. */
export const readGeoloc: Syntax = value => {
  const match = /^([+-]?\d{1,2}(?:\.\d{1,15})?)\s+([+-]?\d{1,3}(?:\.\d{1,15})?)$/.exec(value);
  if (!match)
    return wrong('not-a-location', `${quote(value)} is not a location. Enter latitude and longitude in degrees, such as -27.47 153.02`);
  if (Math.abs(Number(match[1])) > 90) return wrong('not-a-location', `The latitude ${match[1]} is not between -90 and 90`);
  if (Math.abs(Number(match[2])) > 180) return wrong('not-a-location', `The longitude ${match[2]} is not between -180 and 180`);
  return right(`${match[1]} ${match[2]}`);
};

function codes(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}
