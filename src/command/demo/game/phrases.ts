/** The words of the demo game: key, English, German. */

export type Phrase = readonly [key: string, english: string, german: string];

export interface PhraseGroup {
  readonly name: string;
  readonly phrases: readonly Phrase[];
}

export const phraseGroups: readonly PhraseGroup[] = [
  {
    name: 'Everywhere',
    phrases: [
      ['common.ok', 'All right', 'In Ordnung'],
      ['common.cancel', 'Cancel', 'Abbrechen'],
      ['common.back', 'Back', 'Zurück'],
      ['common.retry', 'Try again', 'Noch einmal versuchen'],
      ['common.loading', 'Hoisting the sails …', 'Segel werden gesetzt …'],
      ['common.offline', 'No wind: you are offline.', 'Flaute: Du bist offline.'],
      [
        'common.update',
        'A new version is waiting in the store.',
        'Im Store wartet eine neue Version.',
      ],
      ['common.percent', '{value} %', '{value} %'],
    ],
  },
  {
    name: 'Economy',
    phrases: [
      ['economy.coins', 'Coins', 'Münzen'],
      ['economy.pearls', 'Pearls', 'Perlen'],
      ['economy.embers', 'Embers', 'Glut'],
      ['economy.energy.full', 'Your lantern burns brightly.', 'Deine Laterne brennt hell.'],
      ['economy.energy.next', 'Next ember in {minutes} min', 'Nächste Glut in {minutes} Min.'],
      ['economy.energy.buy', 'Refill for {price} pearls', 'Für {price} Perlen auffüllen'],
      ['economy.daily.title', 'Daily treasure', 'Täglicher Schatz'],
      ['economy.daily.streak', '{days} days in a row! 🔥', '{days} Tage in Folge! 🔥'],
      ['economy.notEnough', 'Not enough {currency}.', 'Nicht genug {currency}.'],
    ],
  },
  {
    name: 'Shop',
    phrases: [
      ['shop.title', 'Harbour market', 'Hafenmarkt'],
      ['shop.banner.harbour', 'Fresh from the ships', 'Frisch von den Schiffen'],
      [
        'shop.banner.welcome',
        'Welcome aboard! A gift for new captains',
        'Willkommen an Bord! Ein Geschenk für neue Kapitäne',
      ],
      ['shop.banner.observatory', 'For friends of the observatory', 'Für Freunde der Sternwarte'],
      ['shop.bundle.navigator', 'Navigator’s bundle', 'Paket des Steuermanns'],
      ['shop.bundle.lamplighter', 'Lamplighter’s bundle', 'Paket der Laternenanzünderin'],
      ['shop.daily.refresh', 'Show other goods', 'Andere Waren zeigen'],
      ['shop.bonus', '+{percent} % extra', '+{percent} % extra'],
      ['shop.odds', 'Chances of this chest', 'Chancen dieser Truhe'],
      ['shop.bought', 'Bought. It is in your hold.', 'Gekauft. Es liegt im Laderaum.'],
    ],
  },
  {
    name: 'Chests',
    phrases: [
      ['chest.driftwood', 'Driftwood chest', 'Treibholztruhe'],
      ['chest.coral', 'Coral chest', 'Korallentruhe'],
      ['chest.moonstone', 'Moonstone chest', 'Mondsteintruhe'],
      ['chest.festival', 'Festival chest', 'Festtruhe'],
      ['chest.guild', 'Guild chest', 'Gildentruhe'],
      ['chest.observatory', 'Star chest', 'Sternentruhe'],
    ],
  },
  {
    name: 'Islands',
    phrases: [
      ['island.home-cove', 'Home Cove', 'Heimatbucht'],
      ['island.gull-rocks', 'Gull Rocks', 'Möwenfelsen'],
      ['island.fern-atoll', 'Fern Atoll', 'Farnatoll'],
      ['island.old-lighthouse', 'The Old Lighthouse', 'Der alte Leuchtturm'],
      ['island.coral-steps', 'Coral Steps', 'Korallentreppe'],
      ['island.whisper-caves', 'Whisper Caves', 'Flüsterhöhlen'],
      ['island.salt-mill', 'Salt Mill', 'Salzmühle'],
      ['island.thunder-head', 'Thunder Head', 'Donnerkap'],
      ['island.glass-lagoon', 'Glass Lagoon', 'Glaslagune'],
      ['island.observatory', 'The Observatory', 'Die Sternwarte'],
    ],
  },
  {
    name: 'Events',
    phrases: [
      ['events.tide-races.title', 'Tide Races', 'Gezeitenrennen'],
      ['events.lost-cargo.title', 'Lost Cargo', 'Verlorene Ladung'],
      ['events.lantern-festival.title', 'Festival of Lanterns', 'Laternenfest'],
      ['events.deep-sea-week.title', 'Deep Sea Week', 'Tiefseewoche'],
      ['events.endsIn', 'Ends in {time}', 'Endet in {time}'],
      ['events.rank', 'Rank {rank} of {size}', 'Platz {rank} von {size}'],
      ['battle-pass.season-9.title', 'Season 9: Festival of Lanterns', 'Saison 9: Laternenfest'],
      ['battle-pass.tier', 'Tier {tier}', 'Stufe {tier}'],
    ],
  },
  {
    name: 'First steps',
    phrases: [
      [
        'onboarding.welcome',
        'Welcome to the isles, captain.',
        'Willkommen auf den Inseln, Kapitän.',
      ],
      [
        'onboarding.firstLantern',
        'Join three lanterns to light them.',
        'Verbinde drei Laternen, um sie anzuzünden.',
      ],
      ['onboarding.nameBoat', 'Every boat needs a name.', 'Jedes Boot braucht einen Namen.'],
      ['onboarding.chooseHero', 'Who sails with you?', 'Wer segelt mit Dir?'],
      [
        'onboarding.push.reason',
        'May we call you when your lantern burns again?',
        'Dürfen wir rufen, wenn Deine Laterne wieder brennt?',
      ],
      ['onboarding.skip', 'I have sailed before', 'Ich bin schon gesegelt'],
    ],
  },
  {
    name: 'Matches',
    phrases: [
      ['match.searching', 'Looking for a crew …', 'Mannschaft wird gesucht …'],
      ['match.found', 'Ship in sight!', 'Schiff in Sicht!'],
      ['match.won', 'Victory! The harbour cheers.', 'Sieg! Der Hafen jubelt.'],
      ['match.lost', 'Lost, but afloat.', 'Verloren, aber noch über Wasser.'],
      [
        'match.leave',
        'Leaving now costs {minutes} minutes.',
        'Wer jetzt geht, wartet {minutes} Minuten.',
      ],
      ['guild.war.title', 'War of the Lights', 'Krieg der Lichter'],
      ['guild.war.closed', 'The map opens on Friday.', 'Die Karte öffnet am Freitag.'],
    ],
  },
];
