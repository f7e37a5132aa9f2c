// @ts-nocheck
/**
 * Loadout admin API
 * v1
 * DO NOT MODIFY - This file has been generated using oazapfts.
 * See https://www.npmjs.com/package/oazapfts
 */
import * as Oazapfts from '@oazapfts/runtime';
import * as QS from '@oazapfts/runtime/query';
export const defaults: Oazapfts.Defaults<Oazapfts.CustomHeaders> = {
  headers: {},
  baseUrl: '/',
};
const oazapfts = Oazapfts.runtime(defaults);
export const servers = {
  theAdminListenerThatThisDocumentComesFrom: '/',
};
export type Fault = {
  /** Where in the request: `text`, `lines[0].text`, `mapping[2].when`. */
  path: string;
  message: string;
  /** The app version line that it is about. */
  appVersion?: string;
  /** In the text, from 1. */
  line?: number;
  /** In the line, from 1. */
  column?: number;
  /** Of a warning: the draft does not match its JSON Schema here, and is not published until it does. */
  code?: 'schema_mismatch';
};
export type Problem = {
  type: 'about:blank';
  /** The words of the status. */
  title: string;
  /** The status of the answer. */
  status: number;
  /** What a program decides by; each operation lists its own. */
  code:
    | 'invalid_request'
    | 'invalid_body'
    | 'invalid_content'
    | 'invalid_mapping'
    | 'invalid_schema'
    | 'too_costly'
    | 'invalid_segment'
    | 'invalid_import'
    | 'invalid_token'
    | 'forbidden'
    | 'cross_site'
    | 'not_found'
    | 'environment_not_found'
    | 'key_not_found'
    | 'content_not_found'
    | 'line_not_found'
    | 'revision_not_found'
    | 'segment_not_found'
    | 'sample_user_not_found'
    | 'user_not_found'
    | 'token_not_found'
    | 'webhook_not_found'
    | 'delivery_not_found'
    | 'method_not_allowed'
    | 'request_timeout'
    | 'environment_exists'
    | 'environment_protected'
    | 'key_exists'
    | 'user_exists'
    | 'last_owner'
    | 'token_given'
    | 'key_revoked'
    | 'limit_reached'
    | 'last_line'
    | 'not_deleted'
    | 'revision_conflict'
    | 'revision_older'
    | 'segment_conflict'
    | 'segment_in_use'
    | 'plan_required'
    | 'plan_stale'
    | 'webhook_disabled'
    | 'webhook_busy'
    | 'backup_running'
    | 'housekeeping_running'
    | 'history_not_kept'
    | 'body_too_large'
    | 'invalid_content_type'
    | 'rate_limited'
    | 'headers_too_large'
    | 'internal'
    | 'overloaded'
    | 'store_unavailable'
    | 'upgrade_in_progress'
    | 'not_published';
  /** One helpful sentence for people. */
  detail: string;
  /** What is wrong with the input, where it is. */
  errors?: Fault[];
  /** With revision_conflict: what was saved since, newest first. */
  between?: {
    revision: number;
    author: string;
    createdAt: string;
    note: string;
    live: boolean;
  }[];
};
export type FleetNode = {
  /** Stays with the data folder of the server. */
  id: string;
  name: string;
  /** Where players reach it. */
  address: string;
  /** Of Loadout. */
  version: string;
  startedAt: string;
  /** When it last reported to the store. */
  seenAt: string;
  /** The newest that all its listeners serve. */
  sequence: number;
  /** How many sequences that is behind the store. */
  lag: number;
  /** Listeners that serve. */
  serving: number;
  /** It was seen lately; `wait=fleet` waits for it. */
  live: boolean;
  /** It is the server that responds. */
  self: boolean;
};
export type Environment = {
  id: string;
  name: string;
  protected: boolean;
  createdAt: string;
};
export type FleetAnswer = {
  /** Live servers that serve the sequence. */
  acknowledged: number;
  /** Live servers that did not say so in time, with what they serve. */
  missing: {
    id: string;
    name: string;
    sequence: number;
  }[];
  /** The store went away meanwhile: others than these may be missing, too. */
  storeUnavailable?: true;
};
export type Key = {
  id: string;
  label: string;
  /** The first characters of the key. */
  prefix: string;
  createdAt: string;
  expiresAt: string | null;
  revokedAt: string | null;
  /** To the minute or so; null: never. */
  lastUsedAt: string | null;
};
export type ContentSummary = {
  id: string;
  description: string;
  tags: string[];
  newest: number;
  /** Below `newest` or null: the newest revision is a draft. */
  live: number | null;
  /** Who saved the newest revision. */
  author: string;
  /** Where a sync brought it from, and the number it has there. */
  synced: {
    from: string;
    revision: number;
  } | null;
  /** Of the highest line of the live revision, or of the newest. */
  hash: string;
  dynamic: boolean;
  lines: number;
  jsonBytes: number;
  updatedAt: string;
  deletedAt: string | null;
  /** null: it is not deleted, or the audit does not reach back to it. */
  deletedBy: string | null;
};
export type ConditionOperators = {
  /** Is this value, without conversion. */
  $eq?: (string | number | boolean | null) | unknown;
  /** Is not this value, without conversion; holds when absent. */
  $ne?: (string | number | boolean | null) | unknown;
  /** Is less. Two texts compare as texts, else both as numbers; absent is 0. */
  $lt?: (number | string) | unknown;
  /** Is at most this. */
  $lte?: (number | string) | unknown;
  /** Is greater. */
  $gt?: (number | string) | unknown;
  /** Is at least this. */
  $gte?: (number | string) | unknown;
  /** Is one of these; of a list, any element is. */
  $in?: (string | number | boolean | null)[] | unknown;
  /** Is none of these; holds when absent. */
  $nin?: (string | number | boolean | null)[] | unknown;
  /** Like $in, without case. */
  $ini?: (string | number | boolean | null)[] | unknown;
  /** Like $nin, without case. */
  $nini?: (string | number | boolean | null)[] | unknown;
  /** Is a list in which each of these matches some element. */
  $all?: ConditionValue[] | (string | number | boolean | null | object);
  /** Like $all, without case. */
  $alli?: ConditionValue[] | (string | number | boolean | null | object);
  /** Is a list whose length matches. */
  $size?: ConditionValue;
  /** Is a list with an element that matches: operators test it, a condition tests its members. */
  $elemMatch?: ConditionOperators | Condition;
  /** Is (not) present; null counts as absent. */
  $exists?: boolean | unknown;
  /** Is of this type. */
  $type?: ('string' | 'number' | 'boolean' | 'array' | 'object' | 'null') | unknown;
  /** Its text contains a match (RE2 syntax). */
  $regex?: string | unknown;
  /** Like $regex, without case. */
  $regexi?: string | unknown;
  /** Its text contains no match. */
  $notRegex?: string;
  /** Like $notRegex, without case. */
  $notRegexi?: string;
  /** Is this version. */
  $veq?: string | unknown;
  /** Is another version. */
  $vne?: string | unknown;
  /** Is a later version. */
  $vgt?: string | unknown;
  /** Is this version or later. */
  $vgte?: string | unknown;
  /** Is an earlier version. */
  $vlt?: string | unknown;
  /** Is this version or earlier. */
  $vlte?: string | unknown;
  /** What it negates does not hold. */
  $not?: ConditionValue;
};
export type ConditionValue =
  | (string | number | boolean | null)
  | unknown[]
  | ConditionOperators
  | unknown;
export type Condition = {
  /** All hold. */
  $and?: Condition[];
  /** At least one holds, or the list is empty. */
  $or?: Condition[];
  /** $or of the same list does not hold. */
  $nor?: Condition[];
  /** The condition does not hold. */
  $not?: Condition;
  /** The user id; "" without one. */
  '@u'?: ConditionValue;
  /** The app version; no comparison holds without one. */
  '@v'?: ConditionValue;
  /** The bucket, 0 to 999. */
  '@mod'?: ConditionValue;
  [key: string]: unknown;
};
export type JsonPatchOperation =
  | {
      op: 'add' | 'replace' | 'test';
      /** JSON Pointer (RFC 6901). */
      path: string;
      value: unknown;
      [key: string]: unknown;
    }
  | {
      op: 'remove';
      /** JSON Pointer (RFC 6901). */
      path: string;
      [key: string]: unknown;
    }
  | {
      op: 'move' | 'copy';
      /** JSON Pointer (RFC 6901). */
      path: string;
      /** JSON Pointer (RFC 6901). */
      from: string;
      [key: string]: unknown;
    };
export type TargetingVariant = {
  /** Reported as `v` in `meta.seg`. */
  name: string;
  /** First and last bucket, both included. */
  groups: number[];
  /** Reported as `i` in `meta.seg`; a variant's own comes before its rule's. */
  info?: string;
  /** JSON Merge Patch (RFC 7396). */
  merge?: unknown;
  /** JSON Patch (RFC 6902): all operations apply, or none does. */
  patch?: JsonPatchOperation[];
  /** The whole new content. */
  replace?: unknown;
};
export type TargetingRule = {
  /** Reported as `n` in `meta.seg`; without `when`, the saved segment that decides. */
  segment: string;
  when?: Condition;
  /** Reported as `i` in `meta.seg`; a variant's own comes before its rule's. */
  info?: string;
  /** The rule is open from this moment on. */
  from?: string;
  /** The rule is closed from this moment on. */
  until?: string;
  /** Draws buckets of its own for this rule; null or absent: `meta.mod`. */
  salt?: string | null;
  /** The arms of an A/B test; no two share a name or a bucket. */
  variants?: TargetingVariant[];
  /** JSON Merge Patch (RFC 7396). */
  merge?: unknown;
  /** JSON Patch (RFC 6902): all operations apply, or none does. */
  patch?: JsonPatchOperation[];
  /** The whole new content. */
  replace?: unknown;
};
export type TargetingRules = TargetingRule[];
export type SavedContent = {
  id: string;
  revision: number;
  /** The live revision; null: nothing is delivered. */
  live: number | null;
  /** Of the highest line. */
  hash: string;
  /** What is valid but can hardly be meant, and where a draft does not match its JSON Schema (code `schema_mismatch`). Nothing is refused for it. */
  warnings: Fault[];
  /** Every listener serves this sequence. */
  sequence: number;
  fleet?: FleetAnswer;
};
export type RevisionSummary = {
  revision: number;
  live: boolean;
  hash: string;
  dynamic: boolean;
  author: string;
  note: string;
  createdAt: string;
  /** Where a sync brought it from, and the number it has there. */
  synced: {
    from: string;
    revision: number;
  } | null;
};
export type SyncReport = {
  added: {
    id: string;
    fromRevision: number;
    /** The live revision of the target; null: none is live. */
    toRevision: number | null;
    /** Which of the facts beside the revisions change. */
    about: ('description' | 'tags' | 'schema')[];
    /** Of a dry run. */
    lines: {
      appVersion: string;
      change: 'added' | 'changed' | 'removed';
      oldHash: string | null;
      /** Equal to oldHash: only comments or white space changed. */
      newHash: string | null;
      pointers: {
        /** JSON pointer (RFC 6901); "" is the whole document. */
        path: string;
        change: 'added' | 'changed' | 'removed';
        /** JSON text, cut where it is long. */
        before: string | null;
        after: string | null;
      }[];
      /** More changed than is listed. */
      pointersCut: boolean;
    }[];
    mapping: 'same' | 'added' | 'changed' | 'removed';
    segments: {
      name: string;
      change: 'added' | 'changed';
    }[];
    /** The live revision of the target differs, and no sync from that environment made it. */
    conflict: boolean;
    /** Who made it, and when. */
    edited: {
      author: string;
      at: string;
    } | null;
  }[];
  changed: {
    id: string;
    fromRevision: number;
    /** The live revision of the target; null: none is live. */
    toRevision: number | null;
    /** Which of the facts beside the revisions change. */
    about: ('description' | 'tags' | 'schema')[];
    /** Of a dry run. */
    lines: {
      appVersion: string;
      change: 'added' | 'changed' | 'removed';
      oldHash: string | null;
      /** Equal to oldHash: only comments or white space changed. */
      newHash: string | null;
      pointers: {
        /** JSON pointer (RFC 6901); "" is the whole document. */
        path: string;
        change: 'added' | 'changed' | 'removed';
        /** JSON text, cut where it is long. */
        before: string | null;
        after: string | null;
      }[];
      /** More changed than is listed. */
      pointersCut: boolean;
    }[];
    mapping: 'same' | 'added' | 'changed' | 'removed';
    segments: {
      name: string;
      change: 'added' | 'changed';
    }[];
    /** The live revision of the target differs, and no sync from that environment made it. */
    conflict: boolean;
    /** Who made it, and when. */
    edited: {
      author: string;
      at: string;
    } | null;
  }[];
  unchanged: string[];
  /** A sync does not change them. */
  onlyHere: string[];
  segments: {
    name: string;
    change: 'added' | 'changed';
    /** The condition in the target, JSON text, cut where it is long; null: it has none. */
    before: string | null;
    after: string;
    /** It differs in the target, and a sync from that environment did not save it last. */
    conflict: boolean;
    /** Null without a conflict, and when the audit does not reach back to the edit. */
    edited: {
      author: string;
      at: string;
    } | null;
  }[];
  /** Names what a dry run looked at: source, target and wish. Sent with the real call, that is refused (409 `plan_stale`) when any of it is another by then. */
  plan: string;
  dryRun: boolean;
  /** Every listener serves this sequence. */
  sequence: number;
  fleet?: FleetAnswer;
};
export type ImportReport = {
  mode: 'merge' | 'replace';
  dryRun: boolean;
  /** Names what a dry run looked at: source, target and wish. Sent with the real call, that is refused (409 `plan_stale`) when any of it is another by then. */
  plan: string;
  counts: {
    added: number;
    changed: number;
    unchanged: number;
    removed: number;
  };
  /** Contents that change, the first 1000. */
  contents: {
    id: string;
    change: 'added' | 'changed' | 'removed';
    /** The newest revision then; null: it is removed. */
    revision: number | null;
    live: number | null;
    /** Which of the facts beside the revisions change. */
    about: ('description' | 'tags' | 'schema')[];
    /** Of a dry run. */
    lines: {
      appVersion: string;
      change: 'added' | 'changed' | 'removed';
      oldHash: string | null;
      /** Equal to oldHash: only comments or white space changed. */
      newHash: string | null;
      pointers: {
        /** JSON pointer (RFC 6901); "" is the whole document. */
        path: string;
        change: 'added' | 'changed' | 'removed';
        /** JSON text, cut where it is long. */
        before: string | null;
        after: string | null;
      }[];
      /** More changed than is listed. */
      pointersCut: boolean;
    }[];
    mapping: 'same' | 'added' | 'changed' | 'removed';
  }[];
  /** More change than are listed. */
  contentsCut: boolean;
  segments: {
    name: string;
    change: 'added' | 'changed' | 'removed';
  }[];
  /** What is valid but probably a mistake; `line` is the line of the file. */
  warnings: Fault[];
  /** Every listener serves this sequence. */
  sequence: number;
  fleet?: FleetAnswer;
};
export type Evaluation = {
  id: string;
  /** What was tried out or edited; null: a new content. */
  revision: number | null;
  live: number | null;
  /** Unsaved edits were tried out. */
  unsaved: boolean;
  /** The saved segments that the mapping uses, each with the revision that applied. */
  segments: {
    name: string;
    revision: number;
  }[];
  /** null: delivery responds 404. */
  line: string | null;
  lineReason: string;
  uid: number;
  mod: number;
  rules: {
    /** Its place in the mapping, from 0. */
    rule: number;
    segment: string;
    /** The first that is true, in this order. */
    outcome:
      | 'not_open_yet'
      | 'closed'
      | 'segment_missing'
      | 'condition_failed'
      | 'group_not_in_test'
      | 'mutation_missed'
      | 'applied';
    applied: boolean;
    variant: string | null;
    /** 0 to 999; null for a rule without variants. */
    group: number | null;
    /** null: the group is `meta.mod`. */
    salt: string | null;
    /** What is reported as `i`: the info of the chosen variant, else that of the rule. */
    info: string | null;
    /** Its condition is the saved segment of that name. */
    saved: boolean;
    /** Operands of the condition, where it was evaluated. */
    decidedBy: {
      /** Where the operand stands: `when.$and[1].level.$gte`. */
      path: string;
      attribute: string;
      /** null: the value is given plainly, as in `{"country": "DE"}`. */
      operator: string | null;
      /** JSON text, cut where it is long. */
      wanted: string;
      /** JSON text, cut where it is long; null: there is no such attribute. */
      found: string | null;
      /** Of this operand itself; below a `$not` that speaks against. */
      holds: boolean;
      /** One sentence for people. */
      text: string;
    }[];
    /** Some sentences for people. */
    reason: string;
  }[];
  sizes: {
    /** The text of the version line, with its comments. */
    textBytes: number;
    /** The plain response: the version line without the mapping. */
    jsonBytes: number;
    /** `data`, with what the rules changed. */
    dataBytes: number;
    /** The wrapped response. */
    answerBytes: number;
    /** The wrapped response compressed, to within some 30 bytes. */
    gzipBytes: number;
  } | null;
  at: string;
  /** The wrapped response byte for byte; null: delivery responds 404. */
  answer: unknown;
};
export type Preview = {
  id: string;
  /** What was tried out or edited; null: a new content. */
  revision: number | null;
  live: number | null;
  /** Unsaved edits were tried out. */
  unsaved: boolean;
  /** What `now` is of: the revision that is live, or was at a time in the past; null: none was. */
  compared: {
    revision: number | null;
    /** The saved segments that its mapping uses, each with the revision that applied. */
    segments: {
      name: string;
      revision: number;
    }[];
  } | null;
  at: string;
  /** Valid ones: all counts and shares are of these. */
  contexts: number;
  faulty: number;
  /** The first faulty contexts, by the number of their line. */
  errors: {
    line: number;
    message: string;
  }[];
  now: {
    lines: {
      appVersion: string;
      contexts: number;
      /** Of all valid contexts, 0 to 1, to four decimals. */
      share: number;
    }[];
    /** Delivery responds 404: no line admits them, or none is live. */
    notFound: {
      contexts: number;
      /** Of all valid contexts, 0 to 1, to four decimals. */
      share: number;
    };
    rules: {
      /** Its place in the mapping, from 0. */
      rule: number;
      segment: string;
      contexts: number;
      /** Of all valid contexts, 0 to 1, to four decimals. */
      share: number;
      /** Contexts for which its change could not apply; not in `contexts`. */
      missed: number;
      variants: {
        name: string;
        /** First and last bucket. */
        groups: number[];
        contexts: number;
        /** Of all valid contexts, 0 to 1, to four decimals. */
        share: number;
      }[];
    }[];
    /** Different responses, user ids aside. */
    answers: number;
  };
  edit: {
    lines: {
      appVersion: string;
      contexts: number;
      /** Of all valid contexts, 0 to 1, to four decimals. */
      share: number;
    }[];
    /** Delivery responds 404: no line admits them, or none is live. */
    notFound: {
      contexts: number;
      /** Of all valid contexts, 0 to 1, to four decimals. */
      share: number;
    };
    rules: {
      /** Its place in the mapping, from 0. */
      rule: number;
      segment: string;
      contexts: number;
      /** Of all valid contexts, 0 to 1, to four decimals. */
      share: number;
      /** Contexts for which its change could not apply; not in `contexts`. */
      missed: number;
      variants: {
        name: string;
        /** First and last bucket. */
        groups: number[];
        contexts: number;
        /** Of all valid contexts, 0 to 1, to four decimals. */
        share: number;
      }[];
    }[];
    /** Different responses, user ids aside. */
    answers: number;
  };
  /** All kinds but hash: other data or another report. */
  changed: {
    contexts: number;
    /** Of all valid contexts, 0 to 1, to four decimals. */
    share: number;
  };
  byKind: {
    appeared: number;
    gone: number;
    data: number;
    hash: number;
    report: number;
  };
  /** The most frequent first; all kinds but hash. */
  changes: {
    /** appeared: 404 until now; gone: 404 from now on; data: other data; report: the same data, another `meta.seg`; hash: both the same under another hash, so that clients download it again. */
    kind: 'appeared' | 'gone' | 'data' | 'hash' | 'report';
    contexts: number;
    /** Of all valid contexts, 0 to 1, to four decimals. */
    share: number;
    /** null: 404. */
    now: {
      line: string;
      hash: string;
      dataBytes: number;
      /** As in `meta.seg`. */
      seg: unknown;
    } | null;
    /** null: 404. */
    edit: {
      line: string;
      hash: string;
      dataBytes: number;
      /** As in `meta.seg`. */
      seg: unknown;
    } | null;
    /** Where the data differs, as JSON pointers; null where it is not compared. */
    pointers:
      | {
          /** JSON pointer (RFC 6901); "" is the whole document. */
          path: string;
          change: 'added' | 'changed' | 'removed';
          /** JSON text, cut where it is long. */
          before: string | null;
          after: string | null;
        }[]
      | null;
    examples: {
      /** Number of the line that the context stands in, from 1. */
      at: number;
      u: string;
      v: string | null;
    }[];
  }[];
  changesLeftOut: number;
  /** What the edit does to those in each rule of either side, removed rules last; a rule is the same on both by its name. For an A/B test this is the figure that does not depend on the choice of contexts. */
  ruleChanges: {
    segment: string;
    /** Its place in the live mapping, from 0; null: it is new. */
    now: number | null;
    /** Its place in the edited mapping; null: it is removed. */
    edit: number | null;
    /** It is an A/B test, on both sides if it is on both. Then callers without a user id, who are all in bucket 0, do not count here. */
    test: boolean;
    /** Contexts that it applies to now. */
    contexts: number;
    /** Of these, those that would be in another variant, by its name. `share` is of these, too. */
    otherVariant: {
      contexts: number;
      share: number;
    };
    /** Of these, those that it would not apply to any more. `share` is of these, too. */
    left: {
      contexts: number;
      share: number;
    };
    /** Contexts that it would apply to, and does not now. */
    joined: number;
  }[];
  /** Present when users were made up: then all counts and shares of this report are of these, and `at` of an example is a number among them. They are no sample of real players. */
  madeUp: {
    /** Callers without a user id, counted apart: all of them are in bucket 0. */
    withoutUserId: {
      contexts: number;
      changed: {
        contexts: number;
        /** Of all valid contexts, 0 to 1, to four decimals. */
        share: number;
      };
    };
  } | null;
  /** The contexts that were sent beside `madeUp`; null: none were. */
  given: {
    /** Valid ones: all counts and shares are of these. */
    contexts: number;
    faulty: number;
    /** The first faulty contexts, by the number of their line. */
    errors: {
      line: number;
      message: string;
    }[];
    /** All kinds but hash: other data or another report. */
    changed: {
      contexts: number;
      /** Of all valid contexts, 0 to 1, to four decimals. */
      share: number;
    };
    byKind: {
      appeared: number;
      gone: number;
      data: number;
      hash: number;
      report: number;
    };
    /** The most frequent first; all kinds but hash. */
    changes: {
      /** appeared: 404 until now; gone: 404 from now on; data: other data; report: the same data, another `meta.seg`; hash: both the same under another hash, so that clients download it again. */
      kind: 'appeared' | 'gone' | 'data' | 'hash' | 'report';
      contexts: number;
      /** Of all valid contexts, 0 to 1, to four decimals. */
      share: number;
      /** null: 404. */
      now: {
        line: string;
        hash: string;
        dataBytes: number;
        /** As in `meta.seg`. */
        seg: unknown;
      } | null;
      /** null: 404. */
      edit: {
        line: string;
        hash: string;
        dataBytes: number;
        /** As in `meta.seg`. */
        seg: unknown;
      } | null;
      /** Where the data differs, as JSON pointers; null where it is not compared. */
      pointers:
        | {
            /** JSON pointer (RFC 6901); "" is the whole document. */
            path: string;
            change: 'added' | 'changed' | 'removed';
            /** JSON text, cut where it is long. */
            before: string | null;
            after: string | null;
          }[]
        | null;
      examples: {
        /** Number of the line that the context stands in, from 1. */
        at: number;
        u: string;
        v: string | null;
      }[];
    }[];
    changesLeftOut: number;
    /** What the edit does to those in each rule of either side, removed rules last; a rule is the same on both by its name. For an A/B test this is the figure that does not depend on the choice of contexts. */
    ruleChanges: {
      segment: string;
      /** Its place in the live mapping, from 0; null: it is new. */
      now: number | null;
      /** Its place in the edited mapping; null: it is removed. */
      edit: number | null;
      /** It is an A/B test, on both sides if it is on both. Then callers without a user id, who are all in bucket 0, do not count here. */
      test: boolean;
      /** Contexts that it applies to now. */
      contexts: number;
      /** Of these, those that would be in another variant, by its name. `share` is of these, too. */
      otherVariant: {
        contexts: number;
        share: number;
      };
      /** Of these, those that it would not apply to any more. `share` is of these, too. */
      left: {
        contexts: number;
        share: number;
      };
      /** Contexts that it would apply to, and does not now. */
      joined: number;
    }[];
  } | null;
};
export type Segment = {
  name: string;
  description: string;
  /** Ids of the contents whose newest or live revision uses it. */
  usedBy: string[];
  /** Number of the revision that holds the condition. */
  revision: number;
  createdAt: string;
  /** No two saves have the same: send it back as ifUpdatedAt. */
  updatedAt: string;
  /** A condition, as in a mapping. */
  when: Condition;
  uses: {
    content: string;
    revision: number;
    live: boolean;
    newest: boolean;
    /** Places in the mapping of that revision, from 0. */
    rules: number[];
  }[];
};
export type SegmentRevisionSummary = {
  revision: number;
  /** Rules that name the segment use it now. */
  current: boolean;
  /** "" where it was saved before revisions were kept. */
  author: string;
  note: string;
  createdAt: string;
  /** Where a sync brought it from, and the number it has there. */
  synced: {
    from: string;
    revision: number;
  } | null;
};
export type SampleUser = {
  name: string;
  createdAt: string;
  updatedAt: string;
  /** The members that were given; the values of `p` byte for byte as they were sent. */
  context: {
    u?: string;
    p?: {
      [key: string]: unknown;
    };
    v?: string;
  };
};
export type AbTest = {
  /** Id of the content. */
  content: string;
  revision: number;
  /** The revision is the live one. */
  live: boolean;
  /** Its place in the mapping, from 0. */
  rule: number;
  /** The name that players are reported under. */
  segment: string;
  /** Its condition is the saved segment of that name. */
  saved: boolean;
  info: string | null;
  /** Tests with the same salt split players along the same line, and so do all without one (null). */
  salt: string | null;
  /** null: it has always been open. */
  from: string | null;
  /** null: it never ends. */
  until: string | null;
  variants: {
    name: string;
    /** First and last bucket, both included. */
    groups: number[];
    /** Reported instead of the rule's; null: the rule's is. */
    info: string | null;
    /** null: a control variant, which receives the content as it is. */
    mutation: ('merge' | 'patch' | 'replace') | null;
  }[];
};
export type Attribute = {
  /** As the game sends it in `p`: of `player.level` it is `player`. */
  name: string;
  /** Saved segments whose condition reads it. At most 20 are named. */
  segments: string[];
  /** Ids of contents whose live mapping has a condition on it. At most 20 are named. */
  contents: string[];
  /** Sample users that have it. At most 20 are named. */
  sampleUsers: string[];
  /** Last day (UTC, `2026-11-23`) on which a sampled request carried it; null: none did in the last 90 days. */
  lastSeen: string | null;
};
export type Token = {
  id: string;
  label: string;
  /** The first characters of the token. */
  prefix: string;
  /** `environment`: it is LOADOUT_ADMIN_TOKEN of the server. */
  source: 'made' | 'environment';
  createdAt: string;
  /** To the minute or so; null: never. */
  lastUsedAt: string | null;
};
export type Me = {
  id: string;
  name: string;
  /** A viewer reads, an editor edits, an owner does everything. */
  role: 'owner' | 'editor' | 'viewer';
  /** The role is for these environments only; null: for all, and for the server itself. */
  environments: string[] | null;
  createdAt: string;
  token: Token;
  /** Of the cookie; null: the request came with a token. */
  session: {
    /** The session ends then unless it is used before; RFC 3339. */
    expiresAt: string;
  } | null;
};
export type User = {
  id: string;
  name: string;
  /** A viewer reads, an editor edits, an owner does everything. */
  role: 'owner' | 'editor' | 'viewer';
  /** The role is for these environments only; null: for all, and for the server itself. */
  environments: string[] | null;
  createdAt: string;
};
export type AuditEvent = {
  /** Sorts by time. */
  id: string;
  at: string;
  /** Empty: the server itself, as for the name `system`. */
  userId: string;
  userName: string;
  /** `noun.verb`, such as `content.publish`. */
  action: string;
  /** Empty: it is about the whole server. */
  environment: string;
  /** What it was done to: a content, a segment, the id of a key or user. */
  name: string;
  /** Network address it was asked from; empty: the server itself. */
  address: string;
  /** `before` and `after` hold what changed, where something did. */
  details: {
    [key: string]: unknown;
  };
  /** Where `name` was asked for and is a content that this sync or import changed: what it did to it. Numbers of revisions are null where there is none, and where an event from before this was noted does not say. */
  content?: {
    id: string;
    change: 'added' | 'changed' | 'removed';
    /** Live before it. */
    before: number | null;
    /** Live after it. */
    after: number | null;
    /** The newest after it. */
    newest: number | null;
    /** Of a sync: the revision of the source. */
    from: number | null;
  };
};
export type Webhook = {
  id: string;
  url: string;
  description: string;
  /** Their ids; null: all. */
  environments: string[] | null;
  /** Null: all. */
  events:
    | (
        | 'content.published'
        | 'content.deleted'
        | 'environment.synced'
        | 'environment.imported'
        | 'environment.deleted'
        | 'key.created'
        | 'key.revoked'
        | 'segment.changed'
        | 'segment.deleted'
      )[]
    | null;
  /** Events that happen while it is off are never sent to it. */
  enabled: boolean;
  disabledAt: string | null;
  /** Who or what switched it off; empty when it is on. */
  disabledReason: string;
  /** Attempts that failed one after the other; a success makes it 0. */
  failures: number;
  failingSince: string | null;
  createdAt: string;
  /** Until then the secret before the present one signs as well. */
  secretBeforeUntil: string | null;
};
export type WebhookDelivery = {
  id: string;
  /** The `webhook-id` of the message, the same in every attempt. */
  eventId: string;
  /** Its type. */
  event: string;
  /** pending: it waits for its first attempt, or for the next. */
  status: 'pending' | 'delivered' | 'failed';
  attempts: number;
  createdAt: string;
  lastAttemptAt: string | null;
  /** Null: there will be none. */
  nextAttemptAt: string | null;
  /** HTTP status; null: there was no response. */
  lastStatus: number | null;
  /** In plain words; empty when the last attempt did not fail. */
  lastError: string;
  lastDurationMs: number | null;
};
/**
 * Whether the control process responds at all
 */
export function getHealth(opts?: Oazapfts.RequestOpts) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: {
          status: 'ok';
        };
      }
    | {
        status: 431;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
  >('/healthz', {
    ...opts,
  });
}
/**
 * Whether players are served and edits reach them
 */
export function getReadiness(opts?: Oazapfts.RequestOpts) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: {
          ready: boolean;
          /** Delivery processes that serve now. */
          listeners?: number;
          listenersWanted?: number;
          /** Every listener serves this sequence. */
          sequence?: number;
          /** Unavailable: edits are rejected, and players are served what was published last. */
          store?: 'available' | 'unavailable';
          /** The certificate of the delivery port, where it has one. reload_failed: the files could not be used at the last reload, and an earlier certificate is served; the log has the reason. */
          certificate?: 'valid' | 'expired' | 'not_yet_valid' | 'reload_failed';
          /** Of the certificate served. */
          certificateExpiresAt?: string;
          [key: string]: unknown;
        };
      }
    | {
        status: 431;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: {
          ready: boolean;
          /** Delivery processes that serve now. */
          listeners?: number;
          listenersWanted?: number;
          /** Every listener serves this sequence. */
          sequence?: number;
          /** Unavailable: edits are rejected, and players are served what was published last. */
          store?: 'available' | 'unavailable';
          /** The certificate of the delivery port, where it has one. reload_failed: the files could not be used at the last reload, and an earlier certificate is served; the log has the reason. */
          certificate?: 'valid' | 'expired' | 'not_yet_valid' | 'reload_failed';
          /** Of the certificate served. */
          certificateExpiresAt?: string;
          [key: string]: unknown;
        };
      }
  >('/readyz', {
    ...opts,
  });
}
/**
 * What all processes count, for Prometheus
 */
export function getMetrics(opts?: Oazapfts.RequestOpts) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: string;
      }
    | {
        status: 431;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
  >('/metrics', {
    ...opts,
  });
}
/**
 * The servers that share the store, by name
 */
export function listNodes(opts?: Oazapfts.RequestOpts) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: {
          /** The store's newest one. */
          sequence: number;
          nodes: FleetNode[];
        };
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >('/admin/v1/nodes', {
    ...opts,
  });
}
/**
 * The environments that the role of the caller is for, by id
 */
export function listEnvironments(opts?: Oazapfts.RequestOpts) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: {
          environments: Environment[];
        };
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >('/admin/v1/environments', {
    ...opts,
  });
}
/**
 * Makes an empty environment
 */
export function createEnvironment(
  {
    wait,
    body,
  }: {
    wait?: 'fleet';
    body: {
      /** Id of the environment, lower case. */
      id: string;
      /** For people; the id when it is left out. */
      name?: string;
      /** Whether only owners may edit it. Left out, it is `false`. */
      protected?: boolean;
    };
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 201;
        data: {
          id: string;
          name: string;
          protected: boolean;
          createdAt: string;
          /** Every listener serves this sequence. */
          sequence: number;
          fleet?: FleetAnswer;
        };
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 408;
        data: Problem;
      }
    | {
        status: 409;
        data: Problem;
      }
    | {
        status: 413;
        data: Problem;
      }
    | {
        status: 415;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    `/admin/v1/environments${QS.query(
      QS.explode({
        wait,
      }),
    )}`,
    oazapfts.json({
      ...opts,
      method: 'POST',
      body,
    }),
  );
}
/**
 * One environment
 */
export function getEnvironment(
  {
    env,
  }: {
    env: string;
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: Environment;
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(`/admin/v1/environments/${encodeURIComponent(env)}`, {
    ...opts,
  });
}
/**
 * Renames, protects or unprotects the environment
 */
export function updateEnvironment(
  {
    wait,
    env,
    body,
  }: {
    wait?: 'fleet';
    env: string;
    body: {
      /** For people. */
      name?: string;
      /** Whether only owners may edit it. */
      protected?: boolean;
    };
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: {
          id: string;
          name: string;
          protected: boolean;
          createdAt: string;
          /** Every listener serves this sequence. */
          sequence: number;
          fleet?: FleetAnswer;
        };
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 408;
        data: Problem;
      }
    | {
        status: 413;
        data: Problem;
      }
    | {
        status: 415;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    `/admin/v1/environments/${encodeURIComponent(env)}${QS.query(
      QS.explode({
        wait,
      }),
    )}`,
    oazapfts.json({
      ...opts,
      method: 'PATCH',
      body,
    }),
  );
}
/**
 * Removes the environment with its keys
 */
export function deleteEnvironment(
  {
    wait,
    env,
  }: {
    wait?: 'fleet';
    env: string;
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: {
          id: string;
          /** Every listener serves this sequence. */
          sequence: number;
          fleet?: FleetAnswer;
        };
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 409;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    `/admin/v1/environments/${encodeURIComponent(env)}${QS.query(
      QS.explode({
        wait,
      }),
    )}`,
    {
      ...opts,
      method: 'DELETE',
    },
  );
}
/**
 * The API keys of an environment, oldest first, without their text
 */
export function listKeys(
  {
    env,
  }: {
    env: string;
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: {
          keys: Key[];
        };
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(`/admin/v1/environments/${encodeURIComponent(env)}/keys`, {
    ...opts,
  });
}
/**
 * Makes an API key, which every listener takes from now on
 */
export function createKey(
  {
    wait,
    env,
    body,
  }: {
    wait?: 'fleet';
    env: string;
    body: {
      /** For people, to tell it apart. Left out, it is empty. */
      label?: string;
      /** RFC 3339 date-time from which the key is refused; null: none. Left out, it is `null`. */
      expiresAt?: string | null;
      /** A key of your own, at least 128 random bits; left out, one is made. */
      key?: string;
    };
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 201;
        data: {
          id: string;
          label: string;
          /** The first characters of the key. */
          prefix: string;
          createdAt: string;
          expiresAt: string | null;
          revokedAt: string | null;
          /** To the minute or so; null: never. */
          lastUsedAt: string | null;
          key: string;
          /** Every listener serves this sequence. */
          sequence: number;
          fleet?: FleetAnswer;
        };
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 408;
        data: Problem;
      }
    | {
        status: 409;
        data: Problem;
      }
    | {
        status: 413;
        data: Problem;
      }
    | {
        status: 415;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    `/admin/v1/environments/${encodeURIComponent(env)}/keys${QS.query(
      QS.explode({
        wait,
      }),
    )}`,
    oazapfts.json({
      ...opts,
      method: 'POST',
      body,
    }),
  );
}
/**
 * Changes the label and the time from which the key is refused
 */
export function updateKey(
  {
    wait,
    env,
    keyId,
    body,
  }: {
    wait?: 'fleet';
    env: string;
    keyId: string;
    body: {
      /** For people, to tell it apart. */
      label?: string;
      /** RFC 3339 date-time from which the key is refused; null: none. */
      expiresAt?: string | null;
    };
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: {
          id: string;
          label: string;
          /** The first characters of the key. */
          prefix: string;
          createdAt: string;
          expiresAt: string | null;
          revokedAt: string | null;
          /** To the minute or so; null: never. */
          lastUsedAt: string | null;
          /** Every listener serves this sequence. */
          sequence: number;
          fleet?: FleetAnswer;
        };
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 408;
        data: Problem;
      }
    | {
        status: 409;
        data: Problem;
      }
    | {
        status: 413;
        data: Problem;
      }
    | {
        status: 415;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    `/admin/v1/environments/${encodeURIComponent(env)}/keys/${encodeURIComponent(keyId)}${QS.query(
      QS.explode({
        wait,
      }),
    )}`,
    oazapfts.json({
      ...opts,
      method: 'PATCH',
      body,
    }),
  );
}
/**
 * Revokes the key
 */
export function deleteKey(
  {
    wait,
    env,
    keyId,
  }: {
    wait?: 'fleet';
    env: string;
    keyId: string;
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: {
          id: string;
          label: string;
          /** The first characters of the key. */
          prefix: string;
          createdAt: string;
          expiresAt: string | null;
          revokedAt: string | null;
          /** To the minute or so; null: never. */
          lastUsedAt: string | null;
          /** Every listener serves this sequence. */
          sequence: number;
          fleet?: FleetAnswer;
        };
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    `/admin/v1/environments/${encodeURIComponent(env)}/keys/${encodeURIComponent(keyId)}${QS.query(
      QS.explode({
        wait,
      }),
    )}`,
    {
      ...opts,
      method: 'DELETE',
    },
  );
}
/**
 * Lists contents by id, with what is live of each
 */
export function listContents(
  {
    deleted,
    after,
    limit,
    env,
  }: {
    deleted?: 'true' | 'false';
    after?: string;
    limit?: number;
    env: string;
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: {
          contents: ContentSummary[];
          /** Give it as "after" for the next page. */
          next: string | null;
        };
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    `/admin/v1/environments/${encodeURIComponent(env)}/contents${QS.query(
      QS.explode({
        deleted,
        after,
        limit,
      }),
    )}`,
    {
      ...opts,
    },
  );
}
/**
 * Shows the newest revision, live or not
 */
export function getContent(
  {
    env,
    id,
  }: {
    env: string;
    id: string;
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: {
          id: string;
          revision: number;
          author: string;
          note: string;
          createdAt: string;
          /** Where a sync brought it from, and the number it has there. */
          synced: {
            from: string;
            revision: number;
          } | null;
          /** Of the highest line. */
          hash: string;
          lines: {
            appVersion: string;
            hash: string;
            textBytes: number;
            jsonBytes: number;
            /** As it was sent. */
            text: string;
          }[];
          /** As it was sent, byte for byte; [] for none. */
          mapping: TargetingRules;
          description: string;
          tags: string[];
          newest: number;
          live: number | null;
          updatedAt: string;
          deletedAt: null;
          /** JSON Schema as it was sent. */
          schema:
            | {
                [key: string]: unknown;
              }
            | boolean
            | null;
        };
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(`/admin/v1/environments/${encodeURIComponent(env)}/contents/${encodeURIComponent(id)}`, {
    ...opts,
  });
}
/**
 * Saves an edit on top of the newest revision
 */
export function putContent(
  {
    wait,
    env,
    id,
    body,
  }: {
    wait?: 'fleet';
    env: string;
    id: string;
    body: {
      /** The text of one line; the others stay. JSON; comments and trailing commas are fine. */
      text?: string;
      /** The line that the text goes to; 0.0.0 when left out. */
      appVersion?: string;
      /** All lines, instead of `text` and `appVersion`: a line that is left out is removed, and one without a text keeps the text that it has. */
      lines?: {
        /** App version from which on the line is for, X.Y.Z. */
        appVersion: string;
        text?: string;
      }[];
      /** Rules; an empty list removes the mapping. */
      mapping?: TargetingRules;
      /** For people. */
      description?: string;
      /** For people, to find it by. */
      tags?: string[];
      /** JSON Schema (draft 2020-12) of all that the content delivers: its lines, and what each rule and variant makes of them. It is checked at each save; a draft may break it, what is published may not. null removes it. It is not part of a revision. */
      schema?:
        | {
            [key: string]: unknown;
          }
        | boolean
        | null;
      /** Why; kept with the revision. Left out, it is empty. */
      note?: string;
      /** Whether players see it at once; false saves a draft. Left out: true for an edit of the text or the mapping; an edit of anything else leaves a draft a draft. */
      publish?: boolean;
      /** Reject unless this is the newest revision; 0: unless the content is new. */
      ifRevision?: number;
      /** Check everything and save nothing: the response is that of a save. Left out, it is `false`. */
      dryRun?: boolean;
    };
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: {
          id: string;
          revision: number;
          /** The live revision; null: nothing is delivered. */
          live: number | null;
          /** Of the highest line. */
          hash: string;
          /** What is valid but can hardly be meant, and where a draft does not match its JSON Schema (code `schema_mismatch`). Nothing is refused for it. */
          warnings: Fault[];
          /** Every listener serves this sequence. */
          sequence: number;
          fleet?: FleetAnswer;
          /** There when nothing was saved. */
          dryRun?: true;
          /** Of a dry run: app versions of the lines that the edit leaves out. */
          removedLines?: string[];
        };
      }
    | {
        status: 201;
        data: SavedContent;
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 408;
        data: Problem;
      }
    | {
        status: 409;
        data: Problem;
      }
    | {
        status: 413;
        data: Problem;
      }
    | {
        status: 415;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    `/admin/v1/environments/${encodeURIComponent(env)}/contents/${encodeURIComponent(id)}${QS.query(
      QS.explode({
        wait,
      }),
    )}`,
    oazapfts.json({
      ...opts,
      method: 'PUT',
      body,
    }),
  );
}
/**
 * Takes the content out of delivery
 */
export function deleteContent(
  {
    wait,
    env,
    id,
  }: {
    wait?: 'fleet';
    env: string;
    id: string;
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: {
          id: string;
          /** Every listener serves this sequence. */
          sequence: number;
          fleet?: FleetAnswer;
        };
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    `/admin/v1/environments/${encodeURIComponent(env)}/contents/${encodeURIComponent(id)}${QS.query(
      QS.explode({
        wait,
      }),
    )}`,
    {
      ...opts,
      method: 'DELETE',
    },
  );
}
/**
 * Lists what was saved, newest first
 */
export function listContentRevisions(
  {
    before,
    limit,
    env,
    id,
  }: {
    before?: number;
    limit?: number;
    env: string;
    id: string;
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: {
          id: string;
          revisions: RevisionSummary[];
        };
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    `/admin/v1/environments/${encodeURIComponent(env)}/contents/${encodeURIComponent(id)}/revisions${QS.query(
      QS.explode({
        before,
        limit,
      }),
    )}`,
    {
      ...opts,
    },
  );
}
/**
 * Shows one revision with its texts and its mapping
 */
export function getContentRevision(
  {
    env,
    id,
    revision,
  }: {
    env: string;
    id: string;
    revision: number;
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: {
          id: string;
          revision: number;
          author: string;
          note: string;
          createdAt: string;
          /** Where a sync brought it from, and the number it has there. */
          synced: {
            from: string;
            revision: number;
          } | null;
          /** Of the highest line. */
          hash: string;
          lines: {
            appVersion: string;
            hash: string;
            textBytes: number;
            jsonBytes: number;
            /** As it was sent. */
            text: string;
          }[];
          /** As it was sent, byte for byte; [] for none. */
          mapping: TargetingRules;
        };
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    `/admin/v1/environments/${encodeURIComponent(env)}/contents/${encodeURIComponent(id)}/revisions/${encodeURIComponent(revision)}`,
    {
      ...opts,
    },
  );
}
/**
 * Compares two revisions
 */
export function diffContent(
  {
    $from,
    to,
    env,
    id,
  }: {
    $from?: number;
    to?: number;
    env: string;
    id: string;
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: {
          id: string;
          /** null: there is no revision before. */
          from: {
            revision: number;
            live: boolean;
            hash: string;
            author: string;
            note: string;
            createdAt: string;
          } | null;
          to: {
            revision: number;
            live: boolean;
            hash: string;
            author: string;
            note: string;
            createdAt: string;
          };
          /** Those that differ. */
          lines: {
            appVersion: string;
            change: 'added' | 'changed' | 'removed';
            oldHash: string | null;
            /** Equal to oldHash: only comments or white space changed. */
            newHash: string | null;
            pointers: {
              /** JSON pointer (RFC 6901); "" is the whole document. */
              path: string;
              change: 'added' | 'changed' | 'removed';
              /** JSON text, cut where it is long. */
              before: string | null;
              after: string | null;
            }[];
            /** More changed than is listed. */
            pointersCut: boolean;
            /** Unified diff of the texts with their comments. */
            text: string;
            /** There is more than is shown. */
            textCut: boolean;
          }[];
          mapping: {
            change: 'same' | 'added' | 'changed' | 'removed';
            /** Those that differ. */
            rules: {
              segment: string;
              change: 'added' | 'changed' | 'moved' | 'removed';
              /** Its place in the mapping before, from 0. */
              from: number | null;
              to: number | null;
              pointers: {
                /** JSON pointer (RFC 6901); "" is the whole document. */
                path: string;
                change: 'added' | 'changed' | 'removed';
                /** JSON text, cut where it is long. */
                before: string | null;
                after: string | null;
              }[];
              /** There is more than is shown. */
              pointersCut: boolean;
            }[];
          };
        };
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    `/admin/v1/environments/${encodeURIComponent(env)}/contents/${encodeURIComponent(id)}/diff${QS.query(
      QS.explode({
        from: $from,
        to,
      }),
    )}`,
    {
      ...opts,
    },
  );
}
/**
 * Removes the line of an app version
 */
export function deleteContentLine(
  {
    publish,
    ifRevision,
    wait,
    env,
    id,
    appVersion,
  }: {
    publish?: 'true' | 'false';
    ifRevision?: number;
    wait?: 'fleet';
    env: string;
    id: string;
    appVersion: string;
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: SavedContent;
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 409;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    `/admin/v1/environments/${encodeURIComponent(env)}/contents/${encodeURIComponent(id)}/lines/${encodeURIComponent(appVersion)}${QS.query(
      QS.explode({
        publish,
        ifRevision,
        wait,
      }),
    )}`,
    {
      ...opts,
      method: 'DELETE',
    },
  );
}
/**
 * Makes a saved revision the live one
 */
export function publishContent(
  {
    wait,
    env,
    id,
    body,
  }: {
    wait?: 'fleet';
    env: string;
    id: string;
    body: {
      /** Number of a revision. */
      revision?: number;
    };
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: SavedContent;
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 408;
        data: Problem;
      }
    | {
        status: 409;
        data: Problem;
      }
    | {
        status: 413;
        data: Problem;
      }
    | {
        status: 415;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    `/admin/v1/environments/${encodeURIComponent(env)}/contents/${encodeURIComponent(id)}/publish${QS.query(
      QS.explode({
        wait,
      }),
    )}`,
    oazapfts.json({
      ...opts,
      method: 'POST',
      body,
    }),
  );
}
/**
 * Publishes an old revision again, as a new one
 */
export function rollbackContent(
  {
    wait,
    env,
    id,
    body,
  }: {
    wait?: 'fleet';
    env: string;
    id: string;
    body: {
      /** Number of a revision. */
      revision: number;
    };
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: SavedContent;
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 408;
        data: Problem;
      }
    | {
        status: 413;
        data: Problem;
      }
    | {
        status: 415;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    `/admin/v1/environments/${encodeURIComponent(env)}/contents/${encodeURIComponent(id)}/rollback${QS.query(
      QS.explode({
        wait,
      }),
    )}`,
    oazapfts.json({
      ...opts,
      method: 'POST',
      body,
    }),
  );
}
/**
 * Undoes a deletion
 */
export function restoreContent(
  {
    wait,
    env,
    id,
  }: {
    wait?: 'fleet';
    env: string;
    id: string;
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: SavedContent;
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 409;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    `/admin/v1/environments/${encodeURIComponent(env)}/contents/${encodeURIComponent(id)}/restore${QS.query(
      QS.explode({
        wait,
      }),
    )}`,
    {
      ...opts,
      method: 'POST',
    },
  );
}
/**
 * Copies the live revisions of another environment
 */
export function syncEnvironment(
  {
    wait,
    env,
    body,
  }: {
    wait?: 'fleet';
    env: string;
    body: {
      /** Id of the environment to copy from. */
      from: string;
      /** Contents to copy; default: all that are live in the source. */
      ids?: string[];
      /** Report what would change; change nothing. Left out, it is `false`. */
      dryRun?: boolean;
      /** Names what a dry run looked at: source, target and wish. Sent with the real call, that is refused (409 `plan_stale`) when any of it is another by then. */
      plan?: string;
    };
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: SyncReport;
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 408;
        data: Problem;
      }
    | {
        status: 409;
        data: Problem;
      }
    | {
        status: 413;
        data: Problem;
      }
    | {
        status: 415;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    `/admin/v1/environments/${encodeURIComponent(env)}/sync${QS.query(
      QS.explode({
        wait,
      }),
    )}`,
    oazapfts.json({
      ...opts,
      method: 'POST',
      body,
    }),
  );
}
/**
 * Streams the environment as NDJSON, a snapshot of one moment
 */
export function exportEnvironment(
  {
    drafts,
    env,
  }: {
    drafts?: 'true' | 'false';
    env: string;
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: string;
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 409;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    `/admin/v1/environments/${encodeURIComponent(env)}/export${QS.query(
      QS.explode({
        drafts,
      }),
    )}`,
    {
      ...opts,
    },
  );
}
/**
 * Takes NDJSON as the export writes it
 */
export function importEnvironment(
  {
    mode,
    dryRun,
    plan,
    wait,
    env,
    body,
  }: {
    mode?: 'merge' | 'replace';
    dryRun?: 'true' | 'false';
    plan?: string;
    wait?: 'fleet';
    env: string;
    body: string;
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: ImportReport;
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 408;
        data: Problem;
      }
    | {
        status: 409;
        data: Problem;
      }
    | {
        status: 413;
        data: Problem;
      }
    | {
        status: 415;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    `/admin/v1/environments/${encodeURIComponent(env)}/import${QS.query(
      QS.explode({
        mode,
        dryRun,
        plan,
        wait,
      }),
    )}`,
    {
      ...opts,
      method: 'POST',
      body,
    },
  );
}
/**
 * Shows what delivery responds to a user context, and why
 */
export function evaluateContent(
  {
    env,
    body,
  }: {
    env: string;
    body: {
      /** Id of the content; case does not matter. */
      id: string;
      /** User id. Left out, it is empty. */
      u?: string;
      /** Attributes for segmentation. */
      p?: {
        [key: string]: unknown;
      };
      /** Version of the app, X.Y.Z; null or empty: none. */
      v?: string | null;
      /** RFC 3339; default: now. In the past, and without unsaved edits: the revision that was live then (unless one is named), with the saved segments as they were then, as far as they existed. */
      at?: string;
      /** A saved revision, or "newest". Default: the live one; with unsaved edits, the newest, on which a PUT would build. */
      revision?: number | 'newest';
      /** An unsaved text; comments and trailing commas are fine. */
      text?: string;
      /** The version line of the unsaved text; default: 0.0.0. */
      appVersion?: string;
      /** All lines, instead of `text` and `appVersion`: a line that is left out is removed, and one without a text keeps the text that it has. */
      lines?: {
        /** App version from which on the line is for, X.Y.Z. */
        appVersion: string;
        text?: string;
      }[];
      /** An unsaved mapping; an empty list stands for none. */
      mapping?: TargetingRules;
    };
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: Evaluation;
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 408;
        data: Problem;
      }
    | {
        status: 410;
        data: Problem;
      }
    | {
        status: 413;
        data: Problem;
      }
    | {
        status: 415;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    `/admin/v1/environments/${encodeURIComponent(env)}/evaluate`,
    oazapfts.json({
      ...opts,
      method: 'POST',
      body,
    }),
  );
}
/**
 * Previews an edit before it is published
 */
export function previewContent(
  {
    env,
    body,
  }: {
    env: string;
    body: string;
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: Preview;
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 408;
        data: Problem;
      }
    | {
        status: 410;
        data: Problem;
      }
    | {
        status: 413;
        data: Problem;
      }
    | {
        status: 415;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(`/admin/v1/environments/${encodeURIComponent(env)}/preview`, {
    ...opts,
    method: 'POST',
    body,
  });
}
/**
 * Lists saved segments by name
 */
export function listSegments(
  {
    after,
    limit,
    env,
  }: {
    after?: string;
    limit?: number;
    env: string;
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: {
          /** `after` of the next page; null: the last one. */
          next: string | null;
          segments: Segment[];
        };
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    `/admin/v1/environments/${encodeURIComponent(env)}/segments${QS.query(
      QS.explode({
        after,
        limit,
      }),
    )}`,
    {
      ...opts,
    },
  );
}
/**
 * Shows a saved segment, and the rules of mappings that use it
 */
export function getSegment(
  {
    env,
    name,
  }: {
    env: string;
    name: string;
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: Segment;
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(`/admin/v1/environments/${encodeURIComponent(env)}/segments/${encodeURIComponent(name)}`, {
    ...opts,
  });
}
/**
 * Deletes a saved segment that no newest or live revision uses
 */
export function deleteSegment(
  {
    wait,
    env,
    name,
  }: {
    wait?: 'fleet';
    env: string;
    name: string;
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: {
          name: string;
          /** Every listener serves this sequence. */
          sequence: number;
          fleet?: FleetAnswer;
        };
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 409;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    `/admin/v1/environments/${encodeURIComponent(env)}/segments/${encodeURIComponent(name)}${QS.query(
      QS.explode({
        wait,
      }),
    )}`,
    {
      ...opts,
      method: 'DELETE',
    },
  );
}
/**
 * Saves a segment
 */
export function putSegment(
  {
    wait,
    env,
    name,
    body,
  }: {
    wait?: 'fleet';
    env: string;
    name: string;
    body: {
      /** A condition, as in a mapping. */
      when: Condition;
      /** Left out, it stays as it is. */
      description?: string;
      /** Why; kept with the revision. Left out, it is empty. */
      note?: string;
      /** Reject with `segment_conflict` unless the segment was last saved then; null: unless it is new. */
      ifUpdatedAt?: string | null;
      /** Change nothing, and say what saving would do. Left out, it is `false`. */
      dryRun?: boolean;
      /** With dryRun: user contexts to count whom the change lets in and leaves out. */
      contexts?: {
        /** User id. Left out, it is empty. */
        u?: string;
        /** Attributes for segmentation. */
        p?: {
          [key: string]: unknown;
        };
        /** Version of the app, X.Y.Z; null or empty: none. */
        v?: string | null;
      }[];
    };
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data:
          | {
              name: string;
              description: string;
              /** Ids of the contents whose newest or live revision uses it. */
              usedBy: string[];
              /** Number of the revision that holds the condition. */
              revision: number;
              createdAt: string;
              /** No two saves have the same: send it back as ifUpdatedAt. */
              updatedAt: string;
              /** A condition, as in a mapping. */
              when: Condition;
              /** Ids of the contents that are delivered with it: the edit changes what their requests receive. */
              reaches: string[];
              warnings: Fault[];
              /** Every listener serves this sequence. */
              sequence: number;
              fleet?: FleetAnswer;
            }
          | {
              name: string;
              dryRun: true;
              /** It would be new. */
              created: boolean;
              /** Its condition would be another one. */
              changed: boolean;
              /** Send it as ifUpdatedAt to save just this change. */
              updatedAt: string | null;
              /** Ids of the contents that are delivered with it: the edit changes what their requests receive. */
              reaches: string[];
              warnings: Fault[];
              /** On the contexts given; null without any. */
              effect: {
                contexts: number;
                matchedBefore: number;
                matchAfter: number;
                entering: number;
                leaving: number;
                /** The first of them, as places in `contexts`, from 0. */
                enteringExamples: number[];
                /** The first of them, as places in `contexts`, from 0. */
                leavingExamples: number[];
              } | null;
            };
      }
    | {
        status: 201;
        data: {
          name: string;
          description: string;
          /** Ids of the contents whose newest or live revision uses it. */
          usedBy: string[];
          /** Number of the revision that holds the condition. */
          revision: number;
          createdAt: string;
          /** No two saves have the same: send it back as ifUpdatedAt. */
          updatedAt: string;
          /** A condition, as in a mapping. */
          when: Condition;
          /** Ids of the contents that are delivered with it: the edit changes what their requests receive. */
          reaches: string[];
          warnings: Fault[];
          /** Every listener serves this sequence. */
          sequence: number;
          fleet?: FleetAnswer;
        };
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 408;
        data: Problem;
      }
    | {
        status: 409;
        data: Problem;
      }
    | {
        status: 413;
        data: Problem;
      }
    | {
        status: 415;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    `/admin/v1/environments/${encodeURIComponent(env)}/segments/${encodeURIComponent(name)}${QS.query(
      QS.explode({
        wait,
      }),
    )}`,
    oazapfts.json({
      ...opts,
      method: 'PUT',
      body,
    }),
  );
}
/**
 * Tests a condition on user contexts
 */
export function testSegment(
  {
    env,
    body,
  }: {
    env: string;
    body: {
      /** A condition, as in a mapping. */
      when?: Condition;
      /** A saved segment, instead of `when`. */
      name?: string;
      /** Users to try it on. */
      contexts: {
        /** User id. Left out, it is empty. */
        u?: string;
        /** Attributes for segmentation. */
        p?: {
          [key: string]: unknown;
        };
        /** Version of the app, X.Y.Z; null or empty: none. */
        v?: string | null;
      }[];
    };
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: {
          contexts: number;
          matching: number;
          /** One for each context, in their order. */
          results: {
            matches: boolean;
            /** Some sentences for people. */
            reason: string;
            decidedBy: {
              /** Where the operand stands: `when.$and[1].level.$gte`. */
              path: string;
              attribute: string;
              /** null: the value is given plainly, as in `{"country": "DE"}`. */
              operator: string | null;
              /** JSON text, cut where it is long. */
              wanted: string;
              /** JSON text, cut where it is long; null: there is no such attribute. */
              found: string | null;
              /** Of this operand itself; below a `$not` that speaks against. */
              holds: boolean;
              /** One sentence for people. */
              text: string;
            }[];
          }[];
          warnings: Fault[];
        };
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 408;
        data: Problem;
      }
    | {
        status: 413;
        data: Problem;
      }
    | {
        status: 415;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    `/admin/v1/environments/${encodeURIComponent(env)}/segments/test`,
    oazapfts.json({
      ...opts,
      method: 'POST',
      body,
    }),
  );
}
/**
 * Saves the condition of an old revision again, as a new one
 */
export function rollbackSegment(
  {
    wait,
    env,
    name,
    body,
  }: {
    wait?: 'fleet';
    env: string;
    name: string;
    body: {
      /** Number of a revision. */
      revision: number;
    };
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: {
          name: string;
          description: string;
          /** Ids of the contents whose newest or live revision uses it. */
          usedBy: string[];
          /** Number of the revision that holds the condition. */
          revision: number;
          createdAt: string;
          /** No two saves have the same: send it back as ifUpdatedAt. */
          updatedAt: string;
          /** A condition, as in a mapping. */
          when: Condition;
          /** Ids of the contents that are delivered with it: the edit changes what their requests receive. */
          reaches: string[];
          warnings: Fault[];
          /** Every listener serves this sequence. */
          sequence: number;
          fleet?: FleetAnswer;
        };
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 408;
        data: Problem;
      }
    | {
        status: 413;
        data: Problem;
      }
    | {
        status: 415;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    `/admin/v1/environments/${encodeURIComponent(env)}/segments/${encodeURIComponent(name)}/rollback${QS.query(
      QS.explode({
        wait,
      }),
    )}`,
    oazapfts.json({
      ...opts,
      method: 'POST',
      body,
    }),
  );
}
/**
 * Lists the conditions that a segment has had, newest first
 */
export function listSegmentRevisions(
  {
    before,
    limit,
    env,
    name,
  }: {
    before?: number;
    limit?: number;
    env: string;
    name: string;
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: {
          name: string;
          revisions: SegmentRevisionSummary[];
        };
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    `/admin/v1/environments/${encodeURIComponent(env)}/segments/${encodeURIComponent(name)}/revisions${QS.query(
      QS.explode({
        before,
        limit,
      }),
    )}`,
    {
      ...opts,
    },
  );
}
/**
 * Shows one revision with its condition
 */
export function getSegmentRevision(
  {
    env,
    name,
    revision,
  }: {
    env: string;
    name: string;
    revision: number;
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: {
          name: string;
          revision: number;
          /** Rules that name the segment use it now. */
          current: boolean;
          /** "" where it was saved before revisions were kept. */
          author: string;
          note: string;
          createdAt: string;
          /** Where a sync brought it from, and the number it has there. */
          synced: {
            from: string;
            revision: number;
          } | null;
          /** A condition, as in a mapping. */
          when: Condition;
        };
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    `/admin/v1/environments/${encodeURIComponent(env)}/segments/${encodeURIComponent(name)}/revisions/${encodeURIComponent(revision)}`,
    {
      ...opts,
    },
  );
}
/**
 * Compares the conditions of two revisions
 */
export function diffSegment(
  {
    $from,
    to,
    env,
    name,
  }: {
    $from?: number;
    to?: number;
    env: string;
    name: string;
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: {
          name: string;
          /** null: there is no revision before. */
          from: SegmentRevisionSummary | null;
          to: SegmentRevisionSummary;
          /** Where the condition differs. */
          pointers: {
            /** JSON pointer (RFC 6901); "" is the whole document. */
            path: string;
            change: 'added' | 'changed' | 'removed';
            /** JSON text, cut where it is long. */
            before: string | null;
            after: string | null;
          }[];
          /** There is more than is shown. */
          pointersCut: boolean;
          /** Unified diff of the conditions as they were sent. */
          text: string;
          /** There is more than is shown. */
          textCut: boolean;
        };
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    `/admin/v1/environments/${encodeURIComponent(env)}/segments/${encodeURIComponent(name)}/diff${QS.query(
      QS.explode({
        from: $from,
        to,
      }),
    )}`,
    {
      ...opts,
    },
  );
}
/**
 * Lists the saved user contexts that contents are tried with, by name
 */
export function listSampleUsers(
  {
    env,
  }: {
    env: string;
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: {
          /** Of sample users in one environment. */
          limit: number;
          sampleUsers: SampleUser[];
        };
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(`/admin/v1/environments/${encodeURIComponent(env)}/sample-users`, {
    ...opts,
  });
}
/**
 * Saves a user context under a name, and replaces what was saved under it
 */
export function putSampleUser(
  {
    env,
    name,
    body,
  }: {
    env: string;
    name: string;
    body: {
      /** User id. */
      u?: string;
      /** Attributes for segmentation. */
      p?: {
        [key: string]: unknown;
      };
      /** Version of the app, X.Y.Z; null or empty: none. */
      v?: string | null;
    };
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: SampleUser;
      }
    | {
        status: 201;
        data: SampleUser;
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 408;
        data: Problem;
      }
    | {
        status: 409;
        data: Problem;
      }
    | {
        status: 413;
        data: Problem;
      }
    | {
        status: 415;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    `/admin/v1/environments/${encodeURIComponent(env)}/sample-users/${encodeURIComponent(name)}`,
    oazapfts.json({
      ...opts,
      method: 'PUT',
      body,
    }),
  );
}
/**
 * Removes a saved user context
 */
export function deleteSampleUser(
  {
    env,
    name,
  }: {
    env: string;
    name: string;
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: {
          name: string;
        };
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(`/admin/v1/environments/${encodeURIComponent(env)}/sample-users/${encodeURIComponent(name)}`, {
    ...opts,
    method: 'DELETE',
  });
}
/**
 * Lists the A/B tests of an environment, by content
 */
export function listTests(
  {
    drafts,
    env,
  }: {
    drafts?: 'true' | 'false';
    env: string;
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: {
          /** There are more tests than a response holds. */
          cut: boolean;
          tests: AbTest[];
        };
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    `/admin/v1/environments/${encodeURIComponent(env)}/tests${QS.query(
      QS.explode({
        drafts,
      }),
    )}`,
    {
      ...opts,
    },
  );
}
/**
 * Lists the attributes of users that live conditions
 */
export function listAttributes(
  {
    env,
  }: {
    env: string;
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: {
          attributes: Attribute[];
          /** There are more, or requests carry more names than are kept. */
          cut: boolean;
        };
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(`/admin/v1/environments/${encodeURIComponent(env)}/attributes`, {
    ...opts,
  });
}
/**
 * Signs in with a token
 */
export function signIn(
  {
    body,
  }: {
    body: {
      /** The token of a user. */
      token: string;
    };
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 201;
        data: {
          user: Me;
          /** The session ends then unless it is used before; RFC 3339. */
          expiresAt: string;
        };
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 408;
        data: Problem;
      }
    | {
        status: 413;
        data: Problem;
      }
    | {
        status: 415;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 431;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    '/admin/v1/session',
    oazapfts.json({
      ...opts,
      method: 'POST',
      body,
    }),
  );
}
/**
 * Signs out
 */
export function signOut(opts?: Oazapfts.RequestOpts) {
  return oazapfts.fetchJson<
    | {
        status: 204;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 431;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >('/admin/v1/session', {
    ...opts,
    method: 'DELETE',
  });
}
/**
 * The user of the token or the session
 */
export function getMe(opts?: Oazapfts.RequestOpts) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: Me;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >('/admin/v1/me', {
    ...opts,
  });
}
/**
 * All users, by name
 */
export function listUsers(opts?: Oazapfts.RequestOpts) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: {
          users: User[];
        };
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >('/admin/v1/users', {
    ...opts,
  });
}
/**
 * Makes a user and their first token, which is shown this once
 */
export function createUser(
  {
    body,
  }: {
    body: {
      /** By which the history and the audit know them. */
      name: string;
      /** A viewer reads, an editor edits, an owner does everything. */
      role: 'owner' | 'editor' | 'viewer';
      /** Ids of environments; null: all. Left out, it is `null`. */
      environments?: string[] | null;
    };
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 201;
        data: {
          id: string;
          name: string;
          /** A viewer reads, an editor edits, an owner does everything. */
          role: 'owner' | 'editor' | 'viewer';
          /** The role is for these environments only; null: for all, and for the server itself. */
          environments: string[] | null;
          createdAt: string;
          token: string;
        };
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 408;
        data: Problem;
      }
    | {
        status: 409;
        data: Problem;
      }
    | {
        status: 413;
        data: Problem;
      }
    | {
        status: 415;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    '/admin/v1/users',
    oazapfts.json({
      ...opts,
      method: 'POST',
      body,
    }),
  );
}
/**
 * One user
 */
export function getUser(
  {
    userId,
  }: {
    userId: string;
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: User;
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(`/admin/v1/users/${encodeURIComponent(userId)}`, {
    ...opts,
  });
}
/**
 * Changes the role and the environments it is for
 */
export function updateUser(
  {
    userId,
    body,
  }: {
    userId: string;
    body: {
      /** A viewer reads, an editor edits, an owner does everything. */
      role?: 'owner' | 'editor' | 'viewer';
      /** Ids of environments; null: all. */
      environments?: string[] | null;
    };
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: User;
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 408;
        data: Problem;
      }
    | {
        status: 409;
        data: Problem;
      }
    | {
        status: 413;
        data: Problem;
      }
    | {
        status: 415;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    `/admin/v1/users/${encodeURIComponent(userId)}`,
    oazapfts.json({
      ...opts,
      method: 'PATCH',
      body,
    }),
  );
}
/**
 * Removes the user
 */
export function deleteUser(
  {
    userId,
  }: {
    userId: string;
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: User;
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 409;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(`/admin/v1/users/${encodeURIComponent(userId)}`, {
    ...opts,
    method: 'DELETE',
  });
}
/**
 * The tokens of a user, oldest first, without their text
 */
export function listUserTokens(
  {
    userId,
  }: {
    userId: string;
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: {
          tokens: Token[];
        };
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(`/admin/v1/users/${encodeURIComponent(userId)}/tokens`, {
    ...opts,
  });
}
/**
 * Makes a further token of a user
 */
export function createUserToken(
  {
    userId,
    body,
  }: {
    userId: string;
    body: {
      /** For people, to tell it apart. Left out, it is empty. */
      label?: string;
    };
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 201;
        data: {
          id: string;
          label: string;
          /** The first characters of the token. */
          prefix: string;
          /** `environment`: it is LOADOUT_ADMIN_TOKEN of the server. */
          source: 'made' | 'environment';
          createdAt: string;
          /** To the minute or so; null: never. */
          lastUsedAt: string | null;
          token: string;
        };
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 408;
        data: Problem;
      }
    | {
        status: 409;
        data: Problem;
      }
    | {
        status: 413;
        data: Problem;
      }
    | {
        status: 415;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    `/admin/v1/users/${encodeURIComponent(userId)}/tokens`,
    oazapfts.json({
      ...opts,
      method: 'POST',
      body,
    }),
  );
}
/**
 * Revokes a token
 */
export function deleteUserToken(
  {
    userId,
    tokenId,
  }: {
    userId: string;
    tokenId: string;
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: Token;
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 409;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(`/admin/v1/users/${encodeURIComponent(userId)}/tokens/${encodeURIComponent(tokenId)}`, {
    ...opts,
    method: 'DELETE',
  });
}
/**
 * Gives the whole store as it is now, as one SQLite file
 */
export function makeBackup(opts?: Oazapfts.RequestOpts) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: Blob;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 409;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >('/admin/v1/backup', {
    ...opts,
    method: 'POST',
  });
}
/**
 * Removes what retention does not keep
 */
export function applyRetention(
  {
    body,
  }: {
    body?: {
      /** Count, and remove nothing. Left out, it is `false`. */
      dryRun?: boolean;
      /** Newest of each content; null: all. Left out: as the server was started. */
      revisionsKept?: number | null;
      /** Days; null: for ever. Left out: as the server was started. */
      deletedDaysKept?: number | null;
    };
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: {
          dryRun: boolean;
          /** Newest of each content and of each segment; null: all. */
          revisionsKept: number | null;
          /** Days that deleted contents can be brought back; null: for ever. */
          deletedDaysKept: number | null;
          removed: {
            /** Deleted ones, whose time was over. */
            contents: number;
            revisions: number;
            /** Stored texts that no revision used any more. */
            texts: number;
            textBytes: number;
          };
          /** False: there is more; ask again. */
          finished: boolean;
        };
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 408;
        data: Problem;
      }
    | {
        status: 409;
        data: Problem;
      }
    | {
        status: 413;
        data: Problem;
      }
    | {
        status: 415;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    '/admin/v1/retention',
    oazapfts.json({
      ...opts,
      method: 'POST',
      body,
    }),
  );
}
/**
 * What was done and by which user, newest first
 */
export function listAudit(
  {
    environment,
    action,
    user,
    name,
    $from,
    until,
    before,
    limit,
  }: {
    environment?: string;
    action?: string;
    user?: string;
    name?: string;
    $from?: string;
    until?: string;
    before?: string;
    limit?: number;
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: {
          events: AuditEvent[];
          /** `before` of the next page; null on the last. */
          next: string | null;
        };
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    `/admin/v1/audit${QS.query(
      QS.explode({
        environment,
        action,
        user,
        name,
        from: $from,
        until,
        before,
        limit,
      }),
    )}`,
    {
      ...opts,
    },
  );
}
/**
 * The same events oldest first, all of them, as NDJSON
 */
export function exportAudit(
  {
    environment,
    action,
    user,
    name,
    $from,
    until,
  }: {
    environment?: string;
    action?: string;
    user?: string;
    name?: string;
    $from?: string;
    until?: string;
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: string;
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    `/admin/v1/audit/export${QS.query(
      QS.explode({
        environment,
        action,
        user,
        name,
        from: $from,
        until,
      }),
    )}`,
    {
      ...opts,
    },
  );
}
/**
 * The same events as they happen, as NDJSON
 */
export function streamAudit(
  {
    environment,
    action,
    user,
    name,
    $from,
    until,
    after,
  }: {
    environment?: string;
    action?: string;
    user?: string;
    name?: string;
    $from?: string;
    until?: string;
    after?: string;
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: string;
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 409;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    `/admin/v1/audit/stream${QS.query(
      QS.explode({
        environment,
        action,
        user,
        name,
        from: $from,
        until,
        after,
      }),
    )}`,
    {
      ...opts,
    },
  );
}
/**
 * All webhooks, oldest first, without their secrets
 */
export function listWebhooks(opts?: Oazapfts.RequestOpts) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: {
          webhooks: Webhook[];
        };
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >('/admin/v1/webhooks', {
    ...opts,
  });
}
/**
 * Makes a webhook
 */
export function createWebhook(
  {
    body,
  }: {
    body: {
      /** https:// or http://. Not to this machine nor its link unless the server was started with --webhooks-to-local; private networks are fine. Redirects are not followed. */
      url: string;
      /** For people. Left out, it is empty. */
      description?: string;
      /** Ids of environments; null: all. Left out, it is `null`. */
      environments?: string[] | null;
      /** Types of events; null: all, later ones included. Left out, it is `null`. */
      events?:
        | (
            | 'content.published'
            | 'content.deleted'
            | 'environment.synced'
            | 'environment.imported'
            | 'environment.deleted'
            | 'key.created'
            | 'key.revoked'
            | 'segment.changed'
            | 'segment.deleted'
          )[]
        | null;
      /** Whether it is sent anything. Left out, it is `true`. */
      enabled?: boolean;
      /** A secret of your own; left out, one is made. */
      secret?: string;
    };
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 201;
        data: {
          id: string;
          url: string;
          description: string;
          /** Their ids; null: all. */
          environments: string[] | null;
          /** Null: all. */
          events:
            | (
                | 'content.published'
                | 'content.deleted'
                | 'environment.synced'
                | 'environment.imported'
                | 'environment.deleted'
                | 'key.created'
                | 'key.revoked'
                | 'segment.changed'
                | 'segment.deleted'
              )[]
            | null;
          /** Events that happen while it is off are never sent to it. */
          enabled: boolean;
          disabledAt: string | null;
          /** Who or what switched it off; empty when it is on. */
          disabledReason: string;
          /** Attempts that failed one after the other; a success makes it 0. */
          failures: number;
          failingSince: string | null;
          createdAt: string;
          /** Until then the secret before the present one signs as well. */
          secretBeforeUntil: string | null;
          /** Signs the messages; it is shown this once. */
          secret: string;
        };
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 408;
        data: Problem;
      }
    | {
        status: 409;
        data: Problem;
      }
    | {
        status: 413;
        data: Problem;
      }
    | {
        status: 415;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    '/admin/v1/webhooks',
    oazapfts.json({
      ...opts,
      method: 'POST',
      body,
    }),
  );
}
/**
 * One webhook, without its secret
 */
export function getWebhook(
  {
    id,
  }: {
    id: string;
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: Webhook;
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(`/admin/v1/webhooks/${encodeURIComponent(id)}`, {
    ...opts,
  });
}
/**
 * Changes a webhook, or switches it off or on
 */
export function updateWebhook(
  {
    id,
    body,
  }: {
    id: string;
    body: {
      /** https:// or http://. Not to this machine nor its link unless the server was started with --webhooks-to-local; private networks are fine. Redirects are not followed. */
      url?: string;
      /** For people. */
      description?: string;
      /** Ids of environments; null: all. */
      environments?: string[] | null;
      /** Types of events; null: all, later ones included. */
      events?:
        | (
            | 'content.published'
            | 'content.deleted'
            | 'environment.synced'
            | 'environment.imported'
            | 'environment.deleted'
            | 'key.created'
            | 'key.revoked'
            | 'segment.changed'
            | 'segment.deleted'
          )[]
        | null;
      /** Whether it is sent anything. */
      enabled?: boolean;
    };
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: Webhook;
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 408;
        data: Problem;
      }
    | {
        status: 413;
        data: Problem;
      }
    | {
        status: 415;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    `/admin/v1/webhooks/${encodeURIComponent(id)}`,
    oazapfts.json({
      ...opts,
      method: 'PATCH',
      body,
    }),
  );
}
/**
 * Removes a webhook with its deliveries
 */
export function deleteWebhook(
  {
    id,
  }: {
    id: string;
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: Webhook;
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(`/admin/v1/webhooks/${encodeURIComponent(id)}`, {
    ...opts,
    method: 'DELETE',
  });
}
/**
 * Replaces the secret
 */
export function replaceWebhookSecret(
  {
    id,
    body,
  }: {
    id: string;
    body?: {
      /** A secret of your own; left out, one is made. */
      secret?: string;
    } | null;
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: {
          id: string;
          url: string;
          description: string;
          /** Their ids; null: all. */
          environments: string[] | null;
          /** Null: all. */
          events:
            | (
                | 'content.published'
                | 'content.deleted'
                | 'environment.synced'
                | 'environment.imported'
                | 'environment.deleted'
                | 'key.created'
                | 'key.revoked'
                | 'segment.changed'
                | 'segment.deleted'
              )[]
            | null;
          /** Events that happen while it is off are never sent to it. */
          enabled: boolean;
          disabledAt: string | null;
          /** Who or what switched it off; empty when it is on. */
          disabledReason: string;
          /** Attempts that failed one after the other; a success makes it 0. */
          failures: number;
          failingSince: string | null;
          createdAt: string;
          /** Until then the secret before the present one signs as well. */
          secretBeforeUntil: string | null;
          /** Signs the messages; it is shown this once. */
          secret: string;
        };
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 408;
        data: Problem;
      }
    | {
        status: 413;
        data: Problem;
      }
    | {
        status: 415;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    `/admin/v1/webhooks/${encodeURIComponent(id)}/secret`,
    oazapfts.json({
      ...opts,
      method: 'POST',
      body,
    }),
  );
}
/**
 * Sends a message of the type webhook.test now
 */
export function testWebhook(
  {
    id,
  }: {
    id: string;
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: WebhookDelivery;
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 409;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(`/admin/v1/webhooks/${encodeURIComponent(id)}/test`, {
    ...opts,
    method: 'POST',
  });
}
/**
 * What was sent and what waits, newest first
 */
export function listWebhookDeliveries(
  {
    status,
    before,
    limit,
    id,
  }: {
    status?: 'pending' | 'delivered' | 'failed';
    before?: string;
    limit?: number;
    id: string;
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: {
          deliveries: WebhookDelivery[];
          /** `before` of the next page; null: this is the last. */
          next: string | null;
        };
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    `/admin/v1/webhooks/${encodeURIComponent(id)}/deliveries${QS.query(
      QS.explode({
        status,
        before,
        limit,
      }),
    )}`,
    {
      ...opts,
    },
  );
}
/**
 * One delivery, with the body of its message
 */
export function getWebhookDelivery(
  {
    id,
    deliveryId,
  }: {
    id: string;
    deliveryId: string;
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: {
          id: string;
          /** The `webhook-id` of the message, the same in every attempt. */
          eventId: string;
          /** Its type. */
          event: string;
          /** pending: it waits for its first attempt, or for the next. */
          status: 'pending' | 'delivered' | 'failed';
          attempts: number;
          createdAt: string;
          lastAttemptAt: string | null;
          /** Null: there will be none. */
          nextAttemptAt: string | null;
          /** HTTP status; null: there was no response. */
          lastStatus: number | null;
          /** In plain words; empty when the last attempt did not fail. */
          lastError: string;
          lastDurationMs: number | null;
          /** As it is signed and sent. */
          body: string;
        };
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(`/admin/v1/webhooks/${encodeURIComponent(id)}/deliveries/${encodeURIComponent(deliveryId)}`, {
    ...opts,
  });
}
/**
 * Sends all failed messages again, oldest first, as if they were new
 */
export function retryFailedWebhookDeliveries(
  {
    id,
  }: {
    id: string;
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: {
          /** How many are sent again. */
          deliveries: number;
        };
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 409;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(`/admin/v1/webhooks/${encodeURIComponent(id)}/deliveries/retry`, {
    ...opts,
    method: 'POST',
  });
}
/**
 * Sends a message again as soon as its webhook is free
 */
export function retryWebhookDelivery(
  {
    id,
    deliveryId,
  }: {
    id: string;
    deliveryId: string;
  },
  opts?: Oazapfts.RequestOpts,
) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: WebhookDelivery;
      }
    | {
        status: 400;
        data: Problem;
      }
    | {
        status: 401;
        data: Problem;
      }
    | {
        status: 403;
        data: Problem;
      }
    | {
        status: 404;
        data: Problem;
      }
    | {
        status: 409;
        data: Problem;
      }
    | {
        status: 429;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
    | {
        status: 503;
        data: Problem;
      }
  >(
    `/admin/v1/webhooks/${encodeURIComponent(id)}/deliveries/${encodeURIComponent(deliveryId)}/retry`,
    {
      ...opts,
      method: 'POST',
    },
  );
}
/**
 * The OpenAPI 3.1 document of the admin API
 */
export function getAdminDocument(opts?: Oazapfts.RequestOpts) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: {
          [key: string]: unknown;
        };
      }
    | {
        status: 431;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
  >('/openapi.json', {
    ...opts,
  });
}
/**
 * The OpenAPI 3.1 document of the delivery API, which games call
 */
export function getDeliveryDocument(opts?: Oazapfts.RequestOpts) {
  return oazapfts.fetchJson<
    | {
        status: 200;
        data: {
          [key: string]: unknown;
        };
      }
    | {
        status: 431;
        data: Problem;
      }
    | {
        status: 500;
        data: Problem;
      }
  >('/openapi-delivery.json', {
    ...opts,
  });
}
