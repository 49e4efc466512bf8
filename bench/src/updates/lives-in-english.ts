import type { Life } from "./lives.ts";

export const LIVES_IN_ENGLISH: readonly Life[] = [
  {
    id: "renovation",
    changed: [
      [
        "Kitchen renovation quote from the carpenter: 14,000 dollars, oak fronts, delivery in May.",
        "After we dropped the island, the carpenter's quote for the kitchen came down to $11,500",
        "How much does the carpenter ask for the kitchen?",
      ],
      [
        "Tiles for the bathroom will be delivered on March 12 between 8 and 10 AM.",
        "The tile company phoned: the bathroom tiles won't come before March 19",
        "When are the bathroom tiles delivered?",
      ],
      [
        "We plan to paint the hallway in a warm grey.",
        "I've changed my mind about the hallway, we'll paint it sage green",
        "Which colour will the hallway have?",
      ],
      [
        "The electrician needs three days for the wiring upstairs.",
        "Wiring upstairs turns out to be more work, the electrician talks of a whole week",
        "How long does the electrician need for the wiring upstairs?",
      ],
      [
        "Renovation budget: $40,000 in total, of which 12,000 are spent.",
        "Our total budget for the renovation has crept up to $46,000",
        "What is our total budget for the renovation?",
      ],
      [
        "We have sanded 4 of the 11 doors so far.",
        "I spent the weekend in the garage and 9 doors are sanded",
        "How many doors have we sanded so far?",
      ],
      [
        "Room height in the attic after insulation: 2.20 m.",
        "The plasterer measured again and the attic ends up at 2.12 m of height with the insulation",
        "What is the height of the attic room after insulation?",
      ],
      [
        "The building inspector is called Mr. Okafor.",
        "Our building inspector is Ms. Lindqvist, she took over from Mr. Okafor",
        "Who is our building inspector?",
      ],
    ],
    alike: [
      [
        "The living room windows cost 3,200 dollars including the fitting.",
        "The bedroom windows cost 2,100 dollars including the fitting",
        "What do the living room windows cost?",
      ],
      [
        "The plumber comes on April 3 at 9 AM to look at the boiler.",
        "The roofer comes on April 10 at 8 AM to look at the gutters",
        "When does the plumber come?",
      ],
      [
        "The cellar has a floor area of 48 square metres.",
        "The attic has a usable floor area of 35 square metres now that the beam is gone",
        "How large is the floor area of the cellar?",
      ],
      [
        "We borrowed 5,000 dollars from my parents for the heating.",
        "We've recently borrowed 8,000 dollars from the bank for the solar panels",
        "How much did we borrow from my parents?",
      ],
      [
        "My sister gave us 2 old armchairs for the reading corner.",
        "The neighbours have now given us 4 garden chairs",
        "How many armchairs did my sister give us?",
      ],
      [
        "The warranty of the boiler runs for 5 years.",
        "The warranty of the heat pump was extended to 10 years",
        "How many years does the warranty of the boiler run?",
      ],
      [
        "The front door will be painted blue.",
        "The garage door will be painted white",
        "Which colour will the front door be painted?",
      ],
      [
        "Scaffolding stands from June 1 to June 20.",
        "The container for rubble stands in the drive from June 5 to June 12",
        "From when to when does the scaffolding stand?",
      ],
    ],
    earlier: [
      [
        "The skip costs 90 dollars a week.",
        "They have put up the price of the skip to 110 dollars a week",
        "What did the skip cost originally?",
      ],
      [
        "The moving van is booked for August 2.",
        "The moving van had to be rebooked for August 9",
        "For which day was the moving van booked at first?",
      ],
    ],
  },
  {
    id: "runner-and-writer",
    changed: [
      [
        "Marathon goal: finish in 4 hours 10 minutes in Rotterdam.",
        "Training goes so well that I'm aiming to finish the marathon in under 3 hours 50 minutes",
        "What is my goal time for the marathon?",
      ],
      [
        "Runs 35 km a week, mostly along the canal.",
        "My weekly mileage is up at 52 km since I joined the club",
        "How many km do I run a week?",
      ],
      [
        "The novel has 18 chapters and about 62,000 words.",
        "Wrote all night, the novel stands at 71,000 words",
        "How many words has the novel?",
      ],
      [
        "Resting heart rate was 58 in the last check-up.",
        "My watch says that my resting heart rate is down to 51 these days",
        "What is my resting heart rate?",
      ],
      [
        "Sends the manuscript to the publisher by October 15.",
        "The publisher gave me more time, the manuscript is due on November 30",
        "When is the manuscript due at the publisher?",
      ],
      [
        "The working title of the novel is The Salt Road.",
        "My editor talked me into another title for the novel, it will be called Harbour Lights",
        "What is the title of the novel?",
      ],
      [
        "Follows 2 newsletters on writing and one podcast.",
        "I've subscribed to more newsletters on writing, I follow six of them",
        "How many newsletters on writing do I follow?",
      ],
      [
        "Physio appointments for the knee: twice a week until the end of March.",
        "The physio says once a week is enough for my knee from here on",
        "How often do I go to the physio for my knee?",
      ],
    ],
    alike: [
      [
        "Ran the half marathon in Utrecht in 1 hour 52 minutes.",
        "I ran the half marathon in Ghent in 1 hour 47 minutes",
        "How fast did I run the half marathon in Utrecht?",
      ],
      [
        "The trail shoes have done 400 km.",
        "My road shoes have now done 650 km",
        "How many km have the trail shoes done?",
      ],
      [
        "The short story about the lighthouse has 4,200 words.",
        "The short story about the ferry has grown to 5,100 words",
        "How many words has the story about the lighthouse?",
      ],
      [
        "Coach Bea trains the group on Tuesday evenings.",
        "Coach Milo trains the sprinters on Thursday evenings now",
        "On which evening does Bea train the group?",
      ],
      [
        "The reading in the library is on May 8 at 7 PM.",
        "The reading in the bookshop was moved to May 21 at 6 PM",
        "When is the reading in the library?",
      ],
      ["My brother weighs 82 kg.", "I now weigh 69 kg after the winter", "How much does my brother weigh?"],
      [
        "Earned 300 euros with the article on tea.",
        "I've recently earned 450 euros with the article on bridges",
        "How much did I earn with the article on tea?",
      ],
      [
        "Drinks two cups of coffee before a long run.",
        "I drink three bottles of water after a long run",
        "How many cups of coffee do I drink before a long run?",
      ],
    ],
    earlier: [
      [
        "The club asks for a yearly fee of 120 euros.",
        "The yearly fee of the club has gone up to 135 euros",
        "What was the yearly fee of the club before?",
      ],
      [
        "My personal best over 10 km is 48:20.",
        "New personal best over 10 km: 46:55!",
        "What was my previous personal best over 10 km?",
      ],
    ],
  },
  {
    id: "shop-and-study",
    changed: [
      [
        "The online shop has 240 products and ships to 6 countries.",
        "With the new collection the shop's catalogue has reached 310 products",
        "How many products does my shop have?",
      ],
      [
        "Average delivery time of the shop's parcels is 4 days.",
        "Since we switched to the new courier, parcels arrive within 2.5 days on average",
        "What is the average delivery time of parcels?",
      ],
      [
        "Statistics exam: 25 June, room B12, two hours.",
        "They have put the statistics exam off until 2 July",
        "When is the statistics exam?",
      ],
      [
        "Answered 60% of the practice questions in statistics correctly.",
        "I'm getting better at statistics: 75 percent of the practice questions were right in the last round",
        "What percentage of the practice questions in statistics do I get right?",
      ],
      [
        "The shop's site is hosted at Hetzner on one small machine.",
        "We have moved the shop's site over to Scaleway",
        "Where is the site of the shop hosted?",
      ],
      [
        "Return rate of the shop stood at 8% in spring, mostly shoes.",
        "Better size charts cut the shop's return rate to 5.5%",
        "What is the return rate of the shop?",
      ],
      [
        "Two students help in the shop, each ten hours a week.",
        "As of this month there are four students helping me out in the shop",
        "How many students help in the shop?",
      ],
      [
        "Thesis supervisor meets me every other Wednesday at 2:30 PM.",
        "My thesis supervisor can't do Wednesdays any more, we meet on Mondays",
        "On which day do I meet my thesis supervisor?",
      ],
    ],
    alike: [
      [
        "The wool scarf sells for 39 euros.",
        "The cotton scarf now sells for 25 euros",
        "What does the wool scarf sell for?",
      ],
      [
        "The newsletter of the shop has 1,900 readers.",
        "The shop's account on Instagram has now 3,400 followers",
        "How many readers has the newsletter of the shop?",
      ],
      [
        "Borrowed 7 books on economics from the library.",
        "I've recently borrowed 3 books on law from the library",
        "How many books on economics did I borrow?",
      ],
      [
        "The lecture on ethics is on Monday at 10 AM.",
        "The lecture on logic was moved to Thursday at 4 PM",
        "When is the lecture on ethics?",
      ],
      [
        "The invoice of the printer is due on 3 March.",
        "The invoice of the photographer is now due on 17 March",
        "When is the invoice of the printer due?",
      ],
      ["Scored 82% in the maths exam.", "I have scored 91% in the history exam", "What did I score in the maths exam?"],
      [
        "In Lisbon the student flat cost 420 euros a month.",
        "In Warsaw the student flat costs 380 euros a month now",
        "What did the student flat in Lisbon cost a month?",
      ],
      [
        "The storage room is rented until 31 December.",
        "The lease of the showroom has been extended until 30 June",
        "Until when is the storage room rented?",
      ],
    ],
    earlier: [
      [
        "Group work: our group has 4 members.",
        "Two people joined, so our group has 6 members",
        "How many members did our group have in the beginning?",
      ],
      [
        "The rent of the showroom is 700 euros.",
        "The rent of the showroom was raised to 760 euros",
        "How high was the rent of the showroom previously?",
      ],
    ],
  },
];
