// SPDX-License-Identifier: Apache-2.0

/// The movies that the server knows. None of them was ever made.
enum Catalogue {
    static let movies: [Movie] = zip(1..., titles).map { Movie(id: $0, title: $1.0, year: $1.1) }

    static func search(_ query: String) -> [Movie] {
        movies.filter { $0.title.lowercased().contains(query.lowercased()) }
    }

    private static let titles = [
        ("A Dune of Glass", 1971), ("Dunewalkers", 1987), ("The Last Dune but One", 2004),
        ("Dunlin and Plover", 1963), ("A Dun Horse", 1958), ("Duel at Low Tide", 1966),
        ("The Duchess of Fog", 1949), ("Dusk over Harbour Nine", 1993), ("Duet for One Cello", 2011),
        ("Daylight Thieves", 1974), ("The Dyer's Hand", 2016), ("Dormouse", 1999),
        ("Midnight Ferry", 1952), ("Mirror Lake Road", 1980), ("The Mapmaker's Debt", 2008),
        ("Marble and Moss", 1991), ("Orchard in November", 1977), ("Paper Lighthouse", 2013),
        ("Quarry Song", 1969), ("Red Kite, Green Hill", 1985), ("Salt on the Stairs", 1997),
        ("Seven Quiet Engines", 2001), ("The Tinsmith", 1955), ("Under the Weir", 1988),
        ("Velvet Avalanche", 2010), ("Wheel and Water", 1961), ("Winter Timetable", 1983),
        ("Xylophone Murders", 1973), ("Yesterday's Cartographer", 2006), ("Zinc", 2019),
    ]
}
