import { quote } from '../problem.ts';
import { parseRangeOperator } from '../range-operator.ts';
import { readAddress } from '../syntax/addresses.ts';
import { readAsNumber } from '../syntax/as-numbers.ts';
import { readDomainName } from '../syntax/domains.ts';
import { readPrefixRange } from '../syntax/members.ts';
import { isWrong } from '../syntax/reading.ts';
import { isSetName } from '../syntax/set-names.ts';
import { checkPathExpression } from './path-expression.ts';
import { PolicyError } from './policy-error.ts';
import { type PolicyToken, readTokens } from './tokens.ts';

/** Deeper brackets are no policy but an attack on the reader. */
const deepest = 100;

const keywords = new Set('from to at action accept announce except refine networks protocol into afi upon tunnel'.split(' '));
const protocols = new Set('bgp bgp4 mpbgp ospf rip ripng igrp eigrp is-is isis static dvmrp pim-dm pim-sm cbt mospf'.split(' '));
const addressFamilies = /^(any|ipv4|ipv6)(\.(unicast|multicast))?$/i;
const communityNames = new Set(['no_export', 'no_advertise', 'no_export_subconfed', 'internet', 'no-export', 'no-advertise', 'blackhole']);

/** Policy of one attribute: `families` are those its prefixes may have. */
type Families = 'ipv4' | 'both';

/**
 * Reads policy expressions of RFC 2622 and RFC 4012 by recursive descent. Each `read…` consumes its part, or throws a PolicyError;
 * `finish` expects the end.
 */
export class PolicyReader {
  private readonly tokens: readonly PolicyToken[];
  private readonly families: Families;
  private at = 0;
  private depth = 0;

  constructor(text: string, families: Families) {
    this.tokens = readTokens(text);
    this.families = families;
  }

  finish(): void {
    if (this.token.kind !== 'end') throw this.expected('the end');
  }

  /** import and mp-import (RFC 2622 section 6.1, RFC 4012 section 2.5): `from <peering> [action …] accept <filter>`, and structured policies. */
  readImport(): void {
    this.readTransfer('from', 'accept');
  }

  /** export and mp-export (section 6.2). */
  readExport(): void {
    this.readTransfer('to', 'announce');
  }

  /** default and mp-default (section 6.5): `to <peering> [action …] [networks <filter>]`. */
  readDefault(): void {
    if (this.families === 'both') this.readAfi();
    this.want('to', '“to” and a peering, such as to AS64500');
    this.readPeering();
    if (this.take('action')) this.readActions();
    if (this.take('networks')) this.readFilter();
  }

  /** Section 5.6: a peering set, or AS expression with router expressions before and after `at`. */
  readPeering(): void {
    if (this.token.kind === 'word' && isSetName('peering-set', this.token.text)) {
      this.at++;
      return;
    }
    this.readAsExpression();
    if (this.startsRouter()) this.readRouterExpression();
    if (this.take('at')) this.readRouterExpression();
  }

  /** AS numbers and as-sets joined by AND, OR, EXCEPT. */
  readAsExpression(): void {
    this.readOperands(() => {
      if (this.isBracketed(() => this.readAsExpression())) return;
      if (this.token.kind !== 'word' || !(this.isAsNumber() || isSetName('as-set', this.token.text) || this.is('as-any')))
        throw this.expected('an AS number, an as-set or a peering-set');
      this.at++;
    });
  }

  /** Routers' names, addresses and rtr-sets joined by AND, OR, EXCEPT. */
  readRouterExpression(): void {
    this.readOperands(() => {
      if (this.isBracketed(() => this.readRouterExpression())) return;
      this.takeRouter('the name or address of a router, or an rtr-set');
    });
  }

  /** Section 5.4: terms joined by OR (also implied between adjacent terms), AND, NOT. */
  readFilter(): void {
    this.nest(() => {
      this.readFilterTerm();
      for (;;) {
        if (this.take('or')) this.readFilterTerm();
        else if (this.startsFilter()) this.readFilterTerm();
        else return;
      }
    });
  }

  /** Assignments to route attributes, each ended by a semicolon (section 7). */
  readActions(): void {
    do {
      this.readAction();
      this.wantSign(';', 'a semicolon at the end of the action');
    } while (this.token.kind === 'word' && !this.isKeyword());
  }

  /** inject (section 8.1): `[at …] [action …] [upon …]`. */
  readInject(): void {
    if (this.take('at')) this.readRouterExpression();
    if (this.take('action')) this.readActions();
    if (this.take('upon')) this.readInjectCondition();
  }

  /** components (section 8.1): `[ATOMIC] [<filter>] [protocol <protocol> <filter> …]`. */
  readComponents(): void {
    this.take('atomic');
    if (this.startsFilter()) this.readFilter();
    while (this.take('protocol')) {
      this.readProtocol();
      this.readFilter();
    }
  }

  /** aggr-mtd: `inbound`, or `outbound` with the neighbours meant. */
  readAggregationMethod(): void {
    if (this.take('inbound')) return;
    this.want('outbound', 'inbound or outbound');
    if (this.token.kind !== 'end') this.readAsExpression();
  }

  /** Router's address with its mask length: `192.0.2.1 masklen 30 [action …]`, and for interface a tunnel. */
  readInterface(options: { tunnel: boolean }): void {
    const isIpv6 = this.token.text.includes(':');
    this.readInterfaceAddress();
    this.want('masklen', '“masklen” and the length of the mask');
    this.readNumber(isIpv6 ? 128 : 32, 'the length of the mask');
    if (this.take('action')) this.readActions();
    if (options.tunnel && this.take('tunnel')) {
      this.readInterfaceAddress();
      this.wantSign(',', 'a comma and the encapsulation');
      if (!(this.take('gre') || this.take('ipinip') || this.take('ipip'))) throw this.expected('GRE or IPinIP');
    }
  }

  /** peer and mp-peer (section 9): protocol, router, options such as `asno(AS64500)`. */
  readPeer(): void {
    this.readProtocol();
    if (this.token.kind === 'word' && (isSetName('peering-set', this.token.text) || isSetName('rtr-set', this.token.text))) this.at++;
    else this.takeRouter('the name or address of a router, an rtr-set or a peering-set');
    if (this.token.kind === 'end') return;
    do {
      if (this.token.kind !== 'word') throw this.expected('an option such as asno(AS64500)');
      const option = this.token.text.toLowerCase();
      if (option !== 'asno' && option !== 'flap_damp') throw this.expected('asno(AS64500) or flap_damp()');
      this.at++;
      this.wantSign('(', 'a bracket');
      while (this.token.kind === 'word') {
        if (option === 'asno' ? !(this.isAsNumber() || this.is('peeras')) : !/^\d+$/.test(this.token.text))
          throw this.expected(option === 'asno' ? 'an AS number' : 'a number');
        this.at++;
        if (!this.takeSign(',')) break;
      }
      this.wantSign(')', 'a closing bracket');
    } while (this.takeSign(','));
  }

  private readTransfer(direction: 'from' | 'to', verb: 'accept' | 'announce'): void {
    if (this.take('protocol')) this.readProtocol();
    if (this.take('into')) this.readProtocol();
    this.readExpression(direction, verb);
    this.takeSign(';');
  }

  private readExpression(direction: 'from' | 'to', verb: 'accept' | 'announce'): void {
    // A chain of EXCEPT and REFINE may be long: a loop, not a recursion.
    do {
      if (this.families === 'both') this.readAfi();
      if (this.takeSign('{')) {
        this.nest(() => {
          do {
            this.readExpression(direction, verb);
            if (!this.takeSign(';')) break;
          } while (!this.isSign('}'));
        });
        this.wantSign('}', 'a semicolon, or } at the end of the group');
      } else this.readFactor(direction, verb);
      if (this.isSign(';') && this.isWordAhead('except', 'refine')) this.at++;
    } while (this.take('except') || this.take('refine'));
  }

  private readFactor(direction: 'from' | 'to', verb: 'accept' | 'announce'): void {
    this.want(direction, `“${direction}” and a peering, such as ${direction} AS64500 ${verb} ANY`);
    do {
      this.readPeering();
      if (this.take('action')) this.readActions();
    } while (this.take(direction));
    this.want(verb, `“${verb}” and a filter, such as ${verb} ANY`);
    this.readFilter();
  }

  private readAfi(): void {
    if (!this.take('afi')) return;
    do {
      if (this.token.kind !== 'word' || !addressFamilies.test(this.token.text))
        throw this.expected('an address family such as ipv4, ipv6.unicast or any');
      this.at++;
    } while (this.takeSign(','));
  }

  private readProtocol(): void {
    if (this.token.kind !== 'word' || !protocols.has(this.token.text.toLowerCase()))
      throw this.expected('a protocol such as BGP4 or STATIC');
    this.at++;
  }

  private readFilterTerm(): void {
    this.readFilterFactor();
    while (this.take('and')) this.readFilterFactor();
  }

  private readFilterFactor(): void {
    let negations = 0;
    while (this.take('not')) negations++;
    if (negations > deepest) throw new PolicyError(`There are ${negations} NOT in a row; one is enough`);
    if (this.token.kind === 'regex') {
      checkPathExpression(this.token.text);
      this.at++;
      return;
    }
    if (this.isBracketed(() => this.readFilter())) {
      this.readRangeOperator();
      return;
    }
    if (this.isSign('{')) {
      this.readPrefixList();
      this.readRangeOperator();
      return;
    }
    if (this.token.kind !== 'word' || this.isKeyword())
      throw this.expected('a filter, such as ANY, AS64500, AS-EXAMPLE or {192.0.2.0/24^+}');
    this.readFilterWord();
  }

  private readFilterWord(): void {
    const word = this.token.text;
    const caret = word.indexOf('^');
    const name = caret < 0 ? word : word.slice(0, caret);
    const lower = name.toLowerCase();
    if (lower === 'community' || lower.startsWith('community.')) {
      this.at++;
      this.readCommunityFilter(lower);
      return;
    }
    if (rpAttributes.has(lower) && this.isComparisonAhead()) {
      this.at += 2;
      if (this.token.kind !== 'word') throw this.expected('a value to compare with');
      this.at++;
      return;
    }
    if (
      lower === 'any' ||
      lower === 'peeras' ||
      lower === 'as-any' ||
      lower === 'rs-any' ||
      isSetName('as-set', name) ||
      isSetName('route-set', name) ||
      isSetName('filter-set', name) ||
      isSetWithPeerAs(name)
    )
      this.at++;
    else if (/^as\d/i.test(name)) {
      const number = readAsNumber(name, nowhere);
      if (isWrong(number)) throw new PolicyError(number.message);
      this.at++;
    } else if (/^[0-9a-f:.]+\/\d/i.test(word)) throw new PolicyError(`Put prefixes in braces: {${quote(word)}}`);
    else throw this.expected('a filter, such as ANY, AS64500, AS-EXAMPLE or {192.0.2.0/24^+}');
    if (caret >= 0 && parseRangeOperator(word.slice(caret)) === null)
      throw new PolicyError(`${quote(word.slice(caret))} isn’t a range operator. Enter ^-, ^+, ^24 or ^24-32`);
    if (caret < 0) this.readRangeOperator();
  }

  private readCommunityFilter(word: string): void {
    if (word === 'community' && (this.isSign('==') || this.isSign('='))) {
      this.at++;
      this.readCommunities('{', '}');
      return;
    }
    if (word !== 'community' && word !== 'community.contains')
      throw new PolicyError(`${quote(word)} cannot be in a filter. Enter community.contains(64500:1) or community == {64500:1}`);
    this.readCommunities('(', ')');
  }

  private readCommunities(open: '{' | '(', closing: '}' | ')'): void {
    this.wantSign(open, `communities in ${open}${closing}, such as ${open}64500:1${closing}`);
    if (this.takeSign(closing)) return;
    do {
      if (this.token.kind !== 'word') throw this.expected('a community such as 64500:1');
      checkCommunity(this.token.text);
      this.at++;
    } while (this.takeSign(','));
    this.wantSign(closing, `a comma or ${closing} after the communities`);
  }

  private readPrefixList(): void {
    this.wantSign('{', 'prefixes in braces');
    if (this.takeSign('}')) return;
    do {
      if (this.token.kind !== 'word') throw this.expected('a prefix such as 192.0.2.0/24^+');
      const range = readPrefixRange(this.token.text, this.families);
      if (isWrong(range)) throw new PolicyError(range.message);
      this.at++;
    } while (this.takeSign(','));
    this.wantSign('}', 'a comma or } after the prefixes');
  }

  private readRangeOperator(): void {
    if (this.token.kind !== 'word' || !this.token.text.startsWith('^')) return;
    if (parseRangeOperator(this.token.text) === null)
      throw new PolicyError(`${quote(this.token.text)} isn’t a range operator. Enter ^-, ^+, ^24 or ^24-32`);
    this.at++;
  }

  private readAction(): void {
    if (this.token.kind !== 'word') throw this.expected('an action, such as pref=100;');
    const attribute = this.token.text.toLowerCase();
    this.at++;
    switch (attribute) {
      case 'pref':
      case 'dpa':
      case 'cost':
        this.wantSign('=', `= after ${attribute}`);
        this.readNumber(attribute === 'pref' ? 65535 : 4294967295, 'the value');
        return;
      case 'med':
        this.wantSign('=', '= after med');
        if (!this.take('igp_cost')) this.readNumber(4294967295, 'a number or igp_cost');
        return;
      case 'next-hop':
        this.wantSign('=', '= after next-hop');
        if (this.take('self')) return;
        if (this.token.kind !== 'word' || isWrong(readAddress(this.token.text))) throw this.expected('an address or self');
        this.at++;
        return;
      case 'aspath.prepend':
        this.wantSign('(', 'AS numbers in brackets');
        do {
          if (!(this.isAsNumber() || this.is('peeras'))) throw this.expected('an AS number');
          this.at++;
        } while (this.takeSign(','));
        this.wantSign(')', 'a comma or ) after the AS numbers');
        return;
      case 'community':
        if (!this.takeSign('.=') && !this.takeSign('=') && !this.takeSign('+=') && !this.takeSign('-='))
          throw this.expected('= or .= after community, such as community .= {64500:1};');
        this.readCommunities('{', '}');
        return;
      case 'community.append':
      case 'community.delete':
        this.readCommunities('(', ')');
        return;
      default:
        this.at--;
        throw this.expected('an action on pref, med, dpa, cost, next-hop, aspath.prepend, community, community.append or community.delete');
    }
  }

  private readInjectCondition(): void {
    this.readOperands(() => {
      if (this.isBracketed(() => this.readInjectCondition())) return;
      if (this.take('static')) return;
      if (!this.take('have-components') && !this.take('exclude')) throw this.expected('HAVE-COMPONENTS {…}, EXCLUDE {…} or STATIC');
      this.readPrefixList();
    });
  }

  private readInterfaceAddress(): void {
    const address = this.token.kind === 'word' ? readAddress(this.token.text) : undefined;
    if (address === undefined || isWrong(address)) throw this.expected('the address of the interface');
    if (this.families === 'ipv4' && address.canonical.includes(':'))
      throw new PolicyError(`${address.canonical} is IPv6. Enter it in interface`);
    this.at++;
  }

  private readNumber(most: number, what: string): void {
    if (this.token.kind !== 'word' || !/^\d{1,10}$/.test(this.token.text)) throw this.expected(what);
    if (Number(this.token.text) > most) throw new PolicyError(`${this.token.text} is above ${most}, the largest`);
    this.at++;
  }

  private readOperands(read: () => void): void {
    this.nest(() => {
      do read();
      while (this.take('and') || this.take('or') || this.takeExcept());
    });
  }

  /** EXCEPT between AS numbers or routers; before from, to, afi and braces it starts a policy instead. */
  private takeExcept(): boolean {
    if (!this.is('except') || this.isWordAhead('from', 'to', 'afi') || this.tokens[this.at + 1]?.text === '{') return false;
    this.at++;
    return true;
  }

  private isBracketed(read: () => void): boolean {
    if (!this.takeSign('(')) return false;
    read();
    this.wantSign(')', 'a closing bracket');
    return true;
  }

  private nest(read: () => void): void {
    if (++this.depth > deepest) throw new PolicyError(`Brackets are nested more than ${deepest} deep`);
    read();
    this.depth--;
  }

  private startsRouter(): boolean {
    if (this.isSign('(')) return true;
    const { kind, text } = this.token;
    if (kind !== 'word' || this.isKeyword()) return false;
    return isSetName('rtr-set', text) || !isWrong(readAddress(text)) || !isWrong(readDomainName(text, nowhere));
  }

  private takeRouter(what: string): void {
    if (!this.startsRouter()) throw this.expected(what);
    if (this.families === 'ipv4' && !isSetName('rtr-set', this.token.text) && this.token.text.includes(':'))
      throw new PolicyError(`${quote(this.token.text)} is IPv6. Enter it in the attribute that starts with mp-`);
    this.at++;
  }

  private startsFilter(): boolean {
    const { kind, text } = this.token;
    if (kind === 'regex' || this.isSign('(') || this.isSign('{')) return true;
    return kind === 'word' && !this.isKeyword() && !text.startsWith('^') && !this.is('and') && !this.is('or');
  }

  private isComparisonAhead(): boolean {
    const next = this.tokens[this.at + 1];
    return next?.kind === 'sign' && /^(==|!=|<=|>=|<|>|=)$/.test(next.text);
  }

  private get token(): PolicyToken {
    return this.tokens[this.at] ?? { kind: 'end', text: '' };
  }

  private is(word: string): boolean {
    return this.token.kind === 'word' && this.token.text.toLowerCase() === word;
  }

  private isWordAhead(...words: string[]): boolean {
    const next = this.tokens[this.at + 1];
    return next?.kind === 'word' && words.includes(next.text.toLowerCase());
  }

  private isKeyword(): boolean {
    return this.token.kind === 'word' && keywords.has(this.token.text.toLowerCase());
  }

  private isAsNumber(): boolean {
    return this.token.kind === 'word' && !isWrong(readAsNumber(this.token.text, nowhere));
  }

  private isSign(sign: string): boolean {
    return this.token.kind === 'sign' && this.token.text === sign;
  }

  private take(word: string): boolean {
    if (!this.is(word)) return false;
    this.at++;
    return true;
  }

  private takeSign(sign: string): boolean {
    if (!this.isSign(sign)) return false;
    this.at++;
    return true;
  }

  private want(word: string, what: string): void {
    if (!this.take(word)) throw this.expected(what);
  }

  private wantSign(sign: string, what: string): void {
    if (!this.takeSign(sign)) throw this.expected(what);
  }

  private expected(what: string): PolicyError {
    const before = this.tokens[this.at - 1];
    const found = this.token.kind === 'end' ? 'nothing' : `“${quote(printToken(this.token))}”`;
    return new PolicyError(
      before === undefined ? `Expected ${what}, found ${found}` : `Expected ${what} after “${quote(printToken(before))}”, found ${found}`,
    );
  }
}

const rpAttributes = new Set(['pref', 'med', 'dpa', 'cost', 'next-hop', 'aspath']);

const nowhere = { class: '', attributes: [] };

function printToken(token: PolicyToken): string {
  return token.kind === 'regex' ? `<${token.text}>` : token.text;
}

/** Names such as `AS64500:AS-CUSTOMERS:PeerAS`, where the neighbour's number completes the name (RFC 2622 section 5). */
function isSetWithPeerAs(name: string): boolean {
  if (!/(^|:)peeras(:|$)/i.test(name)) return false;
  const plain = name.replace(/peeras/gi, 'AS1');
  return isSetName('as-set', plain) || isSetName('route-set', plain) || isSetName('filter-set', plain);
}

function checkCommunity(text: string): void {
  if (communityNames.has(text.toLowerCase())) return;
  const match = /^(\d{1,5}):(\d{1,5})$/.exec(text);
  if (match ? Number(match[1]) <= 65535 && Number(match[2]) <= 65535 : /^\d{1,10}$/.test(text) && Number(text) <= 4294967295) return;
  throw new PolicyError(`${quote(text)} is not a community. Enter two numbers up to 65535, such as 64500:1, or NO_EXPORT`);
}
